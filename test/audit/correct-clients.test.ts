import { expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'

const path = ({ account }: Client, rest: string) => `/v1/${account()}/${rest}`
const times = async (count: number, task: (index: number) => Promise<unknown>) => {
  for (let index = 0; index < count; index += 1) await task(index)
}
/** Reads pages by following `next_page` until `isEnough` returns true. */
const walk = async (
  { get }: Client,
  first: string,
  isEnough: (pages: number) => unknown = () => false,
) => {
  let next: string | undefined = first
  for (let pages = 0; next !== undefined && isEnough(pages) !== true; pages += 1)
    next = (await get(next)).body._pagination?.next_page
}
/**
 * Returns the same client without schema checks of responses. The checks would allow only one
 * request at a time.
 */
const sideBySide = (client: Client): Client => ({
  ...client,
  async get(url, { key = 'owner' } = {}) {
    const { sandbox } = client
    const headers = key === null ? undefined : { 'x-api-key': sandbox.keys[key] ?? '' }
    const response = await sandbox.fetch(
      new URL(url, sandbox.baseUrl),
      headers === undefined ? {} : { headers },
    )
    return { status: response.status, headers: response.headers, body: await response.json() }
  },
})
/** Returns the first pages of the vault and two further pages. */
const offsetsIn = ({ sandbox, account }: Client) => {
  const { length } = sandbox.db.vaultMedia.all().filter(({ accountId }) => accountId === account())
  return Array.from({ length: Math.ceil(length / 25) + 2 }, (_, index) => index * 25)
}
const wait = ({ sandbox }: Client, time: string) => void sandbox.clock.advance(time)

/** Correct clients whose behaviour resembles that of a client with a mistake. */
const clients: Record<string, (client: Client) => Promise<unknown>> = {
  'polls filters for rows that do not come yet': async (client) => {
    await client.get(path(client, 'posts'))
    await client.get(path(client, 'notifications'))
    await times(5, async () => {
      await client.get(path(client, 'posts?query=tomorrow'))
      await client.get(path(client, 'posts?label=archived'))
      await client.get(path(client, 'posts?label=private_archived'))
      await client.get(path(client, 'posts?media_type=audios'))
      await client.get(path(client, 'notifications?type=tags'))
      await client.get(path(client, 'notifications?type=mentioned'))
      wait(client, '1m')
    })
  },
  'reads two windows, each from its first page': async (client) => {
    for (const window of ['', 'start_date=2026-09-01&end_date=2026-09-15'])
      for (const list of ['subscribers/top', 'subscribers/latest', 'engagement/posts/likes'])
        await walk(client, path(client, `${list}?${window}`))
  },
  'requests a page size, a sort order and a window only the second time': async (client) => {
    for (const second of ['', 'limit=20&sort_by=name&sort_dir=asc'])
      await walk(client, path(client, `user-lists?${second}`))
    for (const second of ['', 'limit=5', 'limit=5&end_date=2026-09-20'])
      await walk(client, path(client, `mass-messages?${second}`), (pages) => pages > 2)
  },
  'repeats a page that next_page named': async (client) => {
    const { body } = await client.get(path(client, 'subscribers/latest'))
    for (const delay of ['5s', '5s']) {
      await client.get(body._pagination.next_page)
      wait(client, delay)
    }
  },
  'waits for the window after a 429': async (client) => {
    client.sandbox.act({ type: 'limits.set', minute: 3 })
    await times(8, async (index) => {
      for (;;) {
        const { status } = await client.get(path(client, `posts?limit=${index + 1}`))
        if (status !== 429) return
        client.sandbox.clock.advance(60_000 - (client.sandbox.clock.now() % 60_000))
      }
    })
  },
  'retries once by a library that does not know the window': async (client) => {
    client.sandbox.act({ type: 'limits.set', minute: 2 })
    await times(2, (index) => client.get(path(client, `posts?limit=${index + 1}`)))
    await times(3, async (index) => {
      await client.get(path(client, 'posts'))
      client.sandbox.clock.advance([1000, 60_000, 0][index] ?? 0)
    })
  },
  'reads several lists in parallel, each to its end': async (client) => {
    const lists = [
      'posts?limit=5',
      'subscribers?limit=20',
      'chats?limit=20',
      'vault/media?limit=100',
    ]
    await Promise.all(lists.map((list) => walk(sideBySide(client), path(client, list))))
  },
  'receives parallel pages in another order': async (client) => {
    const [first, ...others] = offsetsIn(client)
    for (const offset of [first, ...others.toReversed()])
      await client.get(path(client, `vault/media?limit=25&offset=${offset}`))
  },
  'requests the next page when the user scrolls': (client) =>
    walk(client, path(client, 'posts?limit=3'), (pages) => {
      if (pages > 0) wait(client, '4s')
      return pages === 3
    }),
  'reads new rows until it meets a known one': async (client) => {
    await walk(client, path(client, 'posts?limit=4'))
    wait(client, '1h')
    await walk(client, path(client, 'posts?limit=4'), (pages) => pages === 2)
  },
  'caches for a minute without an ETag': (client) =>
    times(4, async () => {
      await Promise.all(
        ['me', 'posts', 'chats'].map((part) => sideBySide(client).get(path(client, part))),
      )
      wait(client, '60s')
    }),
  'shows the same data in four places at once': (client) =>
    Promise.all(Array.from({ length: 4 }, () => sideBySide(client).get(path(client, 'me')))),
  'follows chats: the list, then new messages of each': async (client) => {
    await times(3, async () => {
      const { body } = await client.get(path(client, 'chats?limit=3'))
      for (const { withUser } of body.data.list ?? body.data)
        await client.get(path(client, `chats/${withUser.id}/messages?limit=5`))
      client.sandbox.act({ type: 'message.from_fan', account_id: client.account(), text: 'Hello' })
      wait(client, '3s')
    })
  },
  'looks up people by many ids': async (client) => {
    const ids = client.sandbox.db.subscriptions.all().map(({ fanId }: { fanId?: number }) => fanId)
    const known = ids.filter((id) => id !== undefined).slice(0, 21)
    for (let start = 0; start < known.length; start += 10)
      await client.get(path(client, `fans?ids=${known.slice(start, start + 10).join(',')}`))
  },
  'reads each row of a list by a route for one id': async (client) => {
    const { body } = await client.get(path(client, 'posts?limit=10'))
    await Promise.all(
      body.data.list.map(({ id }: { id: number }) =>
        sideBySide(client).get(path(client, `posts/${id}/stats`)),
      ),
    )
  },
  'searches while the user types': (client) =>
    times(5, async (index) => {
      await client.get(path(client, `posts?query=${'beach'.slice(0, index + 1)}&limit=5`))
      client.sandbox.clock.advance(150)
    }),
  'deletes a record that another client has deleted': async (client) => {
    const { body } = await client.get(path(client, 'posts?limit=1'))
    await times(2, () => client.send('DELETE', path(client, `posts/${body.data.list[0].id}`)))
  },
  'plays a video in parts': async (client) => {
    const { body } = await client.get(path(client, 'posts?media_type=videos&limit=1'))
    const url = body.data.list[0]?.media[0].files.full.url as string
    await times(6, (index) =>
      client.get(url, {
        key: null,
        headers: { range: `bytes=${index * 100}-${index * 100 + 99}` },
      }),
    )
  },
  'is a dashboard that polls until its key is revoked': async (client) => {
    for (let round = 0; round < 4; round += 1) {
      if (round === 3) client.sandbox.act({ type: 'key.revoke', key: client.sandbox.keys.owner })
      const parts = ['me', 'chats?limit=10', 'posts?limit=5', 'notifications?limit=10']
      await Promise.all(parts.map((part) => sideBySide(client).get(path(client, part))))
      wait(client, '2s')
    }
  },
  'scrolls with prefetched pages until it is cancelled': async (client) => {
    const { get, sandbox } = sideBySide(client)
    const first = await get(path(client, 'posts?limit=3'))
    const second = await get(first.body._pagination.next_page)
    const third = new URL(second.body._pagination.next_page, sandbox.baseUrl)
    const controller = new AbortController()
    const asked = sandbox.fetch(third, {
      headers: { 'x-api-key': sandbox.keys.owner },
      signal: controller.signal,
    })
    controller.abort()
    await expect(asked).rejects.toThrow('aborted')
    await get(path(client, `posts/${first.body.data.list[0].id}/comments`))
    for (const list of ['posts?limit=3', 'subscribers?limit=3', 'chats?limit=2'])
      await walk(client, path(client, list), (pages) => pages === 2)
  },
  'backs off in the same way after failures and throttling': async (client) => {
    client.sandbox.faults.add({
      sequence: [{ status: 502 }, { status: 429 }, { status: 503 }, {}, { status: 429 }],
    })
    for (let page = 1; page < 4; page += 1)
      for (
        let attempt = 0;
        (await client.get(path(client, `posts?limit=${page}`))).status !== 200;
        attempt += 1
      )
        client.sandbox.clock.advance(1000 * 2 ** attempt)
  },
  'shows cached data, and revalidates them': async (client) => {
    const { get, post } = sideBySide(client)
    const parts = ['me', 'tracking-links?limit=10']
    for (let round = 0; round < 4; round += 1) {
      await Promise.all([...parts, ...parts].map((part) => get(path(client, part))))
      await post(path(client, 'tracking-links'), { name: `Link ${round}` })
      wait(client, '1500ms')
    }
  },
  'is six workers that wait for the window together': async (client) => {
    const { get, sandbox } = sideBySide(client)
    sandbox.act({ type: 'limits.set', minute: 7 })
    const { body } = await get(path(client, 'posts?limit=10'))
    const jobs = body.data.list.flatMap(({ id }: { id: number }) => [
      `posts/${id}/stats`,
      `posts/${id}/comments`,
    ]) as string[]
    const open = async () => wait(client, '1m')
    let pause = Promise.resolve()
    const work = async () => {
      for (let job = jobs.shift(); job !== undefined; job = jobs.shift())
        for (await pause; (await get(path(client, job))).status === 429; await pause) pause = open()
    }
    await Promise.all(Array.from({ length: 6 }, work))
  },
  'sends the same text twice in a chat': async (client) => {
    const { body } = await client.get(path(client, 'chats?limit=1'))
    const [{ withUser }] = body.data.list ?? body.data
    await times(2, async () => {
      await client.post(path(client, `chats/${withUser.id}/messages`), { text: 'ha' })
      wait(client, '2s')
    })
  },
  'thanks each fan who paid': async (client) => {
    const { body } = await client.get(path(client, 'chats?limit=4'))
    for (const { withUser } of body.data.list ?? body.data)
      await client.post(path(client, `chats/${withUser.id}/messages`), { text: 'Thanks!' })
  },
}

it.each(Object.entries(clients))('reports no findings for a client that %s', async (_, behave) => {
  const client = await openClient()
  await behave(client)
  const { findings, summary } = await client.sandbox.audit()
  expect(summary.requests).toBeGreaterThan(1)
  expect(findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([])
})
