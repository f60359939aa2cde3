import { expect, it } from 'vitest'
import { formatAudit } from '../../src/audit/format-audit.ts'
import { rules } from '../../src/audit/rules.ts'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'

/** A client that makes the mistake detected by a rule, and similar correct clients. */
interface Case {
  wrong: (client: Client) => Promise<unknown>
  says: RegExp
  right?: Record<string, (client: Client) => Promise<unknown>>
}

const posts = ({ account }: Client) => `/v1/${account()}/posts`
const times = async (count: number, task: (index: number) => Promise<unknown>) => {
  for (let index = 0; index < count; index += 1) await task(index)
}
const thumb = async (client: Client): Promise<string> => {
  const { body } = await client.get(`${posts(client)}?media_type=photos&limit=1`)
  return body.data.list[0].media[0].files.thumb.url
}
/** Reads the given number of pages of a list by following `next_page`. */
const walk = async ({ get }: Client, first: string, most = Infinity, onPage = () => {}) => {
  let next: string | undefined = first
  for (let page = 0; next !== undefined && page < most; page += 1) {
    next = (await get(next)).body._pagination?.next_page
    onPage()
  }
}

/** Repeats a request that creates a post until a response arrives. */
const sendUntilAnswered = async (client: Client) => {
  const send = () => client.post(posts(client), { text: 'Once' })
  await send().catch(send)
}

const vault = 'GET /v1/:account_id/vault/media'
/** Reads a list in pages of one row until a page fails. */
const readUntilFailure = async (client: Client) => {
  client.sandbox.faults.add({ route: vault, status: 502, after: 1, times: 1 })
  const first = `/v1/${client.account()}/vault/media?limit=1`
  const { body } = await client.get(first)
  const next: string = body._pagination.next_page
  expect((await client.get(next)).status).toBe(502)
  return { first, next }
}
/** Sends messages to the first fan who has a chat. */
const write = async (client: Client, ...bodies: object[]) => {
  const chats = `/v1/${client.account()}/chats`
  const { body } = await client.get(chats)
  const messages = `${chats}/${body.data.list[0].withUser.id}/messages`
  for (const each of bodies) await client.post(messages, each)
  return messages
}
const offer = async (client: Client) => {
  const { body } = await client.get(`/v1/${client.account()}/vault/media?limit=1`)
  return { text: 'For you', price: 10, mediaFiles: [body.data.list[0].id] }
}

const messageRoute = 'POST /v1/:account_id/chats/:user_id/messages'
const orders = ['publish_date_desc', 'publish_date_asc', 'favorites_count_desc']

const cases: Record<string, Case> = {
  'empty-by-filter': {
    async wrong(client) {
      await client.get(posts(client))
      for (const query of ['id:12', 'id:13']) await client.get(`${posts(client)}?query=${query}`)
    },
    says: /^GET \/v1\/:account_id\/posts returned no rows in any of its 2 responses with query\.$/,
    right: {
      'finds something with another value': async (client) => {
        await client.get(posts(client))
        for (const query of ['zzzz', 'yyyy', 'e'])
          await client.get(`${posts(client)}?query=${query}`)
      },
      'polls for newer posts': async (client) => {
        const { body } = await client.get(posts(client))
        const newest = body.data.list[0].postedAtPrecise
        const poll = `${posts(client)}?order=publish_date_asc&after_publish_time=${newest}`
        await times(3, async () => {
          await client.get(poll)
          client.sandbox.clock.advance('10m')
        })
      },
      'asks for a list that is empty anyway': async (client) => {
        const list = `/v1/${client.account()}/posts?query=zzzz`
        await client.get(list)
        await client.get(`${list}&media_type=photos`)
        await client.get(`${list}&media_type=videos`)
      },
    },
  },
  'endless-retry': {
    async wrong(client) {
      client.sandbox.faults.add({ status: 502 })
      await times(11, async () => {
        await client.get(posts(client))
        client.sandbox.clock.advance('10s')
      })
    },
    says: /^GET \/v1\/:account_id\/posts was sent 11 times, each time after a failure\.$/,
    right: {
      'polls for an hour, with a failure now and then': async (client) => {
        client.sandbox.faults.add({ status: 502, every: 2 })
        await times(24, async () => {
          await client.get(posts(client))
          client.sandbox.clock.advance('2m')
        })
      },
    },
  },
  'list-abandoned': {
    async wrong(client) {
      await readUntilFailure(client)
      await client.get(posts(client))
    },
    says: /^GET \/v1\/:account_id\/vault\/media was not read to its end, because request 2 failed with 502\./,
    right: {
      'repeats the page': async (client) => {
        const { next } = await readUntilFailure(client)
        await client.get(next)
        await client.get(posts(client))
      },
      'starts again later': async (client) => {
        const { first } = await readUntilFailure(client)
        await client.get(posts(client))
        await walk(client, first)
      },
      'starts again with other pages': async (client) => {
        const { first } = await readUntilFailure(client)
        await walk(client, first.replace('limit=1', 'limit=50'))
        await client.get(posts(client))
      },
      stops: readUntilFailure,
      'fails at its end': async (client) => {
        await readUntilFailure(client)
        await client.get('/v1/nowhere')
      },
    },
  },
  'paid-media-again': {
    async wrong(client) {
      const media = await offer(client)
      await write(client, media, { ...media, text: 'Have a look' })
    },
    says: /^Request 4 sent the same paid media to a fan as request 3\.$/,
    right: {
      'sends free media again': async (client) => {
        const { mediaFiles } = await offer(client)
        await write(client, { text: 'One', mediaFiles }, { text: 'Two', mediaFiles })
      },
      'repeats a failed message': async (client) => {
        const media = await offer(client)
        await write(client, media)
        client.sandbox.faults.add({ status: 502, times: 1, route: messageRoute })
        await write(client, media, media)
      },
      'unsends the first message': async (client) => {
        const media = await offer(client)
        const messages = await write(client, media)
        const { body } = await client.get(`${messages}?limit=1`)
        await client.send('DELETE', `/v1/${client.account()}/messages/${body.data.list[0].id}`)
        await client.post(messages, media)
      },
    },
  },
  'repeated-message': {
    wrong: (client) => write(client, { text: 'Hello, Anna!' }, { text: 'Hello, Anna!' }),
    says: /^Request 3 sent the same text to a fan as request 2\.$/,
    right: {
      'thanks for another tip': async (client) => {
        await write(client, { text: 'Thank you so much' })
        client.sandbox.act({ type: 'tip', account_id: client.account() })
        await write(client, { text: 'Thank you so much' })
      },
      'sends it a day later': async (client) => {
        const messages = await write(client, { text: 'Good morning' })
        client.sandbox.clock.advance('1d')
        await client.post(messages, { text: 'Good morning' })
      },
    },
  },
  'repeated-write': {
    async wrong(client) {
      client.sandbox.faults.add({ drop: 'midway', times: 1 })
      await sendUntilAnswered(client)
    },
    says: /^POST \/v1\/:account_id\/posts was sent again as request 2, although request 1 was carried out/,
    right: {
      'sends again what was not carried out': async (client) => {
        client.sandbox.faults.add({ drop: true, times: 1 })
        await sendUntilAnswered(client)
      },
      'repeats a write that changes nothing the second time': async (client) => {
        const [post] = client.sandbox.db.posts.where({ accountId: client.account() })
        client.sandbox.faults.add({ drop: 'midway', times: 1 })
        const pin = () => client.post(`${posts(client)}/${post!.id}/pin`)
        expect((await pin().catch(pin)).status).toBe(200)
      },
      'repeats a POST that only reads': async (client) => {
        client.sandbox.faults.add({ drop: 'midway', times: 1 })
        const list = () => client.post('/v1/fans', { account_ids: [client.account()] })
        expect((await list().catch(list)).status).toBe(200)
      },
      'looks with a POST that only reads': async (client) => {
        const send = () => client.post(posts(client), { text: 'Once' })
        client.sandbox.faults.add({ drop: 'midway', times: 1 })
        await send().catch(async () => {
          await client.post('/v1/fans', { account_ids: [client.account()] })
          await send()
        })
      },
      'requests the URL of an upload again': async (client) => {
        const key = 'upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/000000000001/photo.jpg'
        const create = () =>
          client.post(`/v1/${client.account()}/upload/signed/create`, {
            key,
            contentType: 'image/jpeg',
            parts: 1,
          })
        client.sandbox.faults.add({ drop: 'midway', times: 1 })
        expect((await create().catch(create)).status).toBe(200)
      },
    },
  },
  'key-sent-away': {
    wrong: async (client) => client.get(await thumb(client)),
    says: /^GET \/media-proxy received the API key 1 time\.$/,
  },
  'broken-text': {
    wrong: (client) => client.post(posts(client), { text: 'Sunset 🌅'.slice(0, -1) }),
    says: /^POST \/v1\/:account_id\/posts received half of a surrogate pair 1 time\.$/,
    right: {
      'cuts a text between characters': (client) =>
        client.post(posts(client), { text: [...'Sunset 🌅 over 🌊'].slice(0, 8).join('') }),
      'writes about escapes': (client) => client.post(posts(client), { text: 'In JSON: \\ud83c' }),
    },
  },
  'unusual-price': {
    async wrong(client) {
      const { status } = await client.post(posts(client), { text: 'Cheap', price: 1 })
      expect(status).toBe(200)
    },
    says: /^POST \/v1\/:account_id\/posts received the price 1\.$/,
    right: {
      'sells media at a usual price, and then edits the price': async (client) => {
        const media = client.sandbox.db.vaultMedia.find({
          accountId: client.account(),
          isReady: true,
        })!
        const { body } = await client.post(posts(client), {
          text: 'Paid',
          price: 5,
          mediaFiles: [media.id],
        })
        const address = `${posts(client)}/${body.data.id}`
        expect((await client.send('PUT', address, { body: { price: 20 } })).status).toBe(200)
      },
    },
  },
  hammering: {
    async wrong({ sandbox, get, account }) {
      sandbox.act({ type: 'limits.set', minute: 2 })
      await times(6, (index) => get(`/v1/${account()}/posts?limit=${index + 1}`))
    },
    says: /^3 requests followed a 429 before the window ended\.$/,
    right: {
      'has a batch in flight': async ({ sandbox, get, account }) => {
        sandbox.act({ type: 'limits.set', minute: 2 })
        await Promise.all(
          Array.from({ length: 8 }, (_, index) => get(`/v1/${account()}/posts?limit=${index + 1}`)),
        )
      },
      'is throttled twice by a fault': async (client) => {
        client.sandbox.faults.add({ status: 429, times: 2 })
        await times(3, () => client.get(posts(client)))
      },
    },
  },
  'no-backoff': {
    async wrong(client) {
      client.sandbox.faults.add({ status: 502, times: 3 })
      await times(4, () => client.get(posts(client)))
    },
    says: /^GET \/v1\/:account_id\/posts was retried immediately 3 times after a 5xx\.$/,
    right: {
      'retries a POST without an answer': async (client) => {
        client.sandbox.faults.add({ status: 502, times: 1 })
        await times(2, () => client.post(posts(client), { text: 'Once' }))
      },
      'sends two equal requests, or several': async (client) => {
        await times(2, () =>
          client.post(`/v1/${client.account()}/tracking-links`, { name: 'Alike' }),
        )
        await client.get(posts(client))
        await times(3, () =>
          client.post(`/v1/${client.account()}/tracking-links`, { name: 'Alike' }),
        )
      },
    },
  },
  'retry-hopeless': {
    async wrong({ get }) {
      await times(4, () => get('/v1/7/posts'))
    },
    says: /was refused with 404 and sent again 3 times without a change\.$/,
    right: {
      'reads again after the record was created': async (client) => {
        const { get, sandbox, account } = client
        const [list] = sandbox.db.vaultLists.all()
        await get(`/v1/${account()}/vault/lists/${list?.id}`)
        await client.post(`/v1/${account()}/vault/lists`, { name: 'Now' })
        await get(`/v1/${account()}/vault/lists/${list?.id}`)
      },
      'polls once a minute': async (client) => {
        await times(3, async () => {
          await client.get('/v1/7/posts')
          client.sandbox.clock.advance('1m')
        })
      },
      'checks the account after a 424': async (client) => {
        const { sandbox, get, account } = client
        sandbox.act({ type: 'session.lapse', account_id: account() })
        await get(posts(client))
        await get('/v1/accounts')
        sandbox.act({ type: 'session.restore', account_id: account() })
        await get(posts(client))
      },
    },
  },
  'ignored-parameter': {
    async wrong(client) {
      await client.get(`${posts(client)}?limt=5`)
    },
    says: /^GET \/v1\/:account_id\/posts ignores the query parameter "limt"\. Similar: limit\.$/,
  },
  'page-not-continued': {
    wrong: (client) =>
      times(3, (index) => walk(client, `${posts(client)}?limit=2&order=${orders[index]}`, 3)),
    says: /was read 3 times, each time for 3 pages, although the last page has a next_page\.$/,
    right: {
      'reads each list until it finds a row': (client) =>
        times(3, (index) =>
          walk(client, `${posts(client)}?limit=2&order=${orders[index]}`, index + 2),
        ),
      'was refused': async (client) => {
        client.sandbox.faults.add({ status: 502, after: 2 })
        await walk(client, `${posts(client)}?limit=5`, 3)
      },
    },
  },
  'page-by-guess': {
    async wrong({ get, account }) {
      await times(3, (index) => get(`/v1/${account()}/subscribers?limit=3&offset=${index * 5}`))
    },
    says: /^GET \/v1\/:account_id\/subscribers was requested with a value of offset that no next_page contained\.$/,
    right: {
      'starts in the middle': ({ get, account }) =>
        get(`/v1/${account()}/subscribers?limit=3&offset=6`),
      'continues from a known row': async (client) => {
        const { body } = await client.get(`${posts(client)}?limit=5`)
        await client.get(
          `${posts(client)}?limit=5&before_publish_time=${body.data.list[2].postedAtPrecise}`,
        )
      },
      'computes the same offset as next_page': async ({ get, account }) => {
        await times(2, (index) => get(`/v1/${account()}/subscribers?offset=${index * 10}`))
      },
    },
  },
  'page-of-one': {
    wrong: (client) => walk(client, `${posts(client)}?limit=1`),
    says: /was read in 16 pages of 1; pages of 100 would take 1\.$/,
    right: {
      'receives short pages': async (client) => {
        client.sandbox.act({ type: 'variation.set', only: ['short-pages'], seed: 5 })
        let pages = 0
        await walk(client, `${posts(client)}?limit=8`, Infinity, () => {
          pages += 1
        })
        expect(pages).toBeGreaterThan(4)
      },
    },
  },
  'repeated-read': {
    async wrong({ get, account }) {
      await times(4, () => get(`/v1/${account()}/me`))
    },
    says: /^GET \/v1\/:account_id\/me was read again 3 times at 1 URL, without a write in between\.$/,
    right: {
      'polls every second': async ({ sandbox, get, account }) => {
        await times(5, async () => {
          await get(`/v1/${account()}/me`)
          sandbox.clock.advance('1s')
        })
      },
      'reads after each change': async ({ sandbox, get, account }) => {
        await times(5, async () => {
          await get(`/v1/${account()}/chats`)
          sandbox.act({ type: 'tip', account_id: account(), amount: 5 })
        })
      },
      'reads three resources twice': async ({ sandbox, get, account }) => {
        const rows = sandbox.db.posts.all().slice(0, 3)
        await times(6, (index) => get(`/v1/${account()}/posts/${rows[index % 3]?.id}/stats`))
      },
    },
  },
  'stale-link': {
    async wrong(client) {
      const link = await thumb(client)
      client.sandbox.clock.advance('3h')
      await client.get(link, { key: null })
    },
    says: /^1 media link was opened after expiry \(two hours\)\.$/,
    right: {
      'requests a fresh link, and stops before it opens it': async (client) => {
        const link = await thumb(client)
        client.sandbox.clock.advance('3h')
        await client.get(link, { key: null })
        await thumb(client)
      },
    },
  },
  'link-kept': {
    async wrong(client) {
      const link = await thumb(client)
      await client.get(link, { key: null })
      client.sandbox.clock.advance('3h')
      await client.get(link, { key: null })
    },
    says: /^1 media link was opened again after expiry \(two hours\)\.$/,
  },
  'edited-link': {
    wrong: async (client) => client.get(`${await thumb(client)}&width=200`, { key: null }),
    says: /^1 media link did not match any link in the responses\.$/,
  },
  'built-link': {
    wrong: ({ get }) => get('/share/8f14e45f-ceea-467f-a0e6-22d0e2b9a1b5', { key: null }),
    says: /^1 share URL did not appear in any response\.$/,
    right: {
      'opens a closed share': async ({ get, post, send, account }) => {
        const { body: link } = await post(`/v1/${account()}/tracking-links`, { name: 'Shared' })
        const path = `/v1/${account()}/tracking-links/${link.data.id}/shares`
        const { body: share } = await post(path, {})
        await send('DELETE', `${path}/${share.data.id}`)
        expect((await get(share.data.url, { key: null })).status).toBe(404)
      },
    },
  },
  'id-lost': {
    async wrong(client) {
      const { body } = await client.get(`${posts(client)}?limit=1&media_type=photos`)
      await client.get(`/v1/${client.account()}/vault/media/${body.data.list[0].media[0].id | 0}`)
    },
    says: /: it was truncated to 32 bits\.$/,
    right: {
      'requests a deleted record': async (client) => {
        const { body } = await client.get(`${posts(client)}?limit=1`)
        const path = `${posts(client)}/${body.data.list[0].id}`
        await client.send('DELETE', path)
        await client.get(path)
      },
    },
  },
  'wrong-key': {
    wrong: (client) => client.get(posts(client), { key: null }),
    says: /^1 request had no key\.$/,
    right: {
      'is a browser that requests an icon': ({ get }) => get('/favicon.ico', { key: null }),
    },
  },
  'key-in-url': {
    wrong: (client) => client.get(`${posts(client)}?api_key=${client.sandbox.keys['owner']}`),
    says: /^1 request had a key in the URL\.$/,
  },
  'near-miss': {
    wrong: ({ get, account }) => get(`/v1/${account()}/post`),
    says: /^There is no GET \/v1\/\d+\/post; similar: GET \/v1\/:account_id\/posts, /,
  },
  'clock-skew': {
    wrong: ({ get, account }) =>
      get(`/v1/${account()}/engagement/posts/tips?start_date=2027-03-01&end_date=2027-04-01`),
    says: /received start_date "2027-03-01", which is in the future\. The sandbox's clock is at 2026-10-01T/,
    right: {
      'reads a window up to tomorrow': ({ get, account }) =>
        get(`/v1/${account()}/engagement/posts/tips?start_date=2026-09-01&end_date=2026-10-02`),
      'plans ahead': ({ get, account }) =>
        get(`/v1/${account()}/schedules/counters?start_date=2026-12-01`),
    },
  },
}

it.each(Object.entries(cases))('finds %s', async (name, { wrong, says }) => {
  const client = await openClient()
  await wrong(client)
  const { findings } = await client.sandbox.audit()
  expect(
    findings.find(({ rule }) => rule === name)?.message,
    JSON.stringify(findings, null, 1),
  ).toMatch(says)
})

it.each(
  Object.entries(cases).flatMap(([name, { right = {} }]) =>
    Object.entries(right).map(([title, behave]) => [name, title, behave] as const),
  ),
)('does not report %s for a client that %s', async (name, _, behave) => {
  const client = await openClient()
  await behave(client)
  const { findings } = await client.sandbox.audit()
  expect(findings.filter(({ rule }) => rule === name)).toEqual([])
})

it('detects a list that was abandoned at a page without rows', async () => {
  const readList = async (isLast: (rows: number) => boolean) => {
    const client = await openClient()
    client.sandbox.act({ type: 'variation.set', only: ['empty-page'] })
    let [next, rows]: [string | undefined, number] = [`${posts(client)}?limit=10`, 1]
    while (next !== undefined && !isLast(rows)) {
      const { body } = await client.get(next)
      next = body._pagination?.next_page
      rows = body.data.list.length
    }
    return (await client.sandbox.audit()).findings.map(({ message }) => message)
  }
  expect(await readList((rows) => rows === 0)).toEqual([
    'GET /v1/:account_id/posts was read only up to a page with fewer rows than the page ' +
      'before, although it has a next_page.',
  ])
  expect(await readList(() => false)).toEqual([])
})

it('detects a client that reads claimers until hasMore is false', async () => {
  const client = await openClient('agency')
  const links = `/v1/${client.account()}/tracking-links`
  const { body } = await client.get(`${links}?limit=1&field=subscribers_counts`)
  const claimers = `${links}/${body.data.list[0].id}/claimers`
  const { body: page } = await client.get(`${claimers}?limit=2`)
  expect([page.data.hasMore, typeof page._pagination.next_page]).toEqual([false, 'string'])
  expect((await client.sandbox.audit()).findings).toMatchObject([
    { rule: 'page-not-continued', severity: 'hint', message: expect.stringContaining('hasMore') },
  ])
  await client.get(page._pagination.next_page)
  expect((await client.sandbox.audit()).findings).toEqual([])
})

it('detects a client that reads a cursor list by offset', async () => {
  const client = await openClient()
  for (const offset of [0, 10, 20]) await client.get(`${posts(client)}?offset=${offset}`)
  const { findings } = await client.sandbox.audit()
  expect(findings.map(({ rule }) => rule)).toEqual(['ignored-parameter', 'page-by-guess'])
  expect(findings[1]?.message).toContain('each response is the same page')
})

it('tells which credits a client could see', async () => {
  const client = await openClient()
  await client.get(posts(client))
  await client.get(posts(client), { key: null })
  await client.get('/v1/nowhere')
  client.sandbox.faults.add({ drop: 'midway', times: 1 })
  await client.get(posts(client)).catch(() => {})
  const { summary } = await client.sandbox.audit()
  expect(summary.credits).toEqual({ charged: 3, visible: 1, errors: [3], lost: [4] })
  expect(formatAudit(await client.sandbox.audit())).toContain(
    'Clients could see 1 of 3 credits in _meta: errors have no _meta (3), ' +
      'no response with _meta arrived (4).',
  )
})

it('counts attempts that got no response', async () => {
  const client = await openClient()
  client.sandbox.faults.add({ drop: true })
  await times(11, async () => {
    await client.get(posts(client)).catch(() => {})
    client.sandbox.clock.advance('10s')
  })
  expect((await client.sandbox.audit()).findings).toMatchObject([
    { rule: 'endless-retry', message: expect.stringContaining('was sent 11 times') },
  ])
})

it('accepts a link that expires and is renewed several times', async () => {
  const client = await openClient()
  const { body } = await client.get(`/v1/${client.account()}/vault/media?limit=1`)
  const [{ id, files }] = body.data.list
  client.sandbox.act({ type: 'variation.set', only: ['expiring-links'] })
  const open = () => client.get(files.full.url, { key: null })
  await open()
  await times(2, async () => {
    expect((await open()).status).toBe(403)
    await client.get(`/v1/${client.account()}/vault/media/${id}`)
    expect((await open()).status).toBe(200)
  })
  expect((await client.sandbox.audit()).findings).toEqual([])
})

it('detects a client that keeps using a revoked key', async () => {
  const client = await openClient()
  await client.get(posts(client))
  const key = client.sandbox.keys.owner
  client.sandbox.act({ type: 'key.revoke', key })
  await times(4, () => client.get(posts(client), { key }))
  const { findings } = await client.sandbox.audit()
  expect(findings).toMatchObject([{ rule: 'wrong-key', requests: [3, 4, 5] }])
  expect(findings[0]?.message).toBe('3 requests used a revoked key after a 401.')
})

it('has a case for every rule', () => {
  expect(Object.keys(cases).toSorted()).toEqual(rules.map(({ name }) => name).toSorted())
})
