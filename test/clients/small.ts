import { createApiClient } from './api.ts'
import type { Json, Service } from './api.ts'

/** A client that is small enough for a table. */
export interface SmallClient {
  /** Description in one sentence. */
  about: string
  run: (service: Service) => Promise<unknown>
}

/** Sends one request without retries. Returns the response, or undefined if it failed. */
async function ask(
  { url, key, fetch }: Service,
  path: string,
  body?: object,
): Promise<Json | undefined> {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => undefined)
  return response?.ok === true ? response.json() : undefined
}

/** Sends one request without retries. */
async function askOnce(service: Service, path: string, body?: object): Promise<Json> {
  const answer = await ask(service, path, body)
  if (answer === undefined) throw new Error(`${path} failed`)
  return answer
}

const lists = ['posts', 'subscribers', 'chats', 'tracking-links', 'user-lists', 'vault/media']
const moreLists = ['vault/lists', 'lists', 'referrals', 'campaigns']

/** Counts the rows of many lists, and takes a failed request for an empty list. */
async function countRows(service: Service, names: readonly string[]): Promise<string[]> {
  const counts: string[] = []
  for (const name of names) {
    const page = await ask(service, `/v1/${service.account}/${name}?limit=100`)
    counts.push(`${name} ${page?.data.list?.length ?? 0}`)
  }
  return counts
}

/** Returns the id of the fan in the latest chat. */
async function findFan(service: Service): Promise<number> {
  return (await askOnce(service, `/v1/${service.account}/chats`)).data.list[0].withUser.id
}

/** Incorrect clients with one bug each. */
export const smallWrongClients = {
  'small/reads-first-page': {
    about: 'Takes the first page of a list for the whole list.',
    run: async (service) =>
      (await createApiClient(service).get(`/v1/${service.account}/subscribers?limit=100`)).data
        .list,
  },
  'small/stops-at-empty-page': {
    about: 'Takes an empty page for the end of the list, and shows no links.',
    async run(service) {
      const rows: Json[] = []
      const api = createApiClient(service)
      for (let next = `/v1/${service.account}/tracking-links?limit=5`; next;) {
        const page = await api.get(next)
        if (page.data.list.length === 0) break
        rows.push(...page.data.list)
        next = page._pagination?.next_page
      }
      return rows.map(({ id }) => id)
    },
  },
  'small/counts-rows-twice': {
    about: 'Counts a row again if it repeats on the next page.',
    run: async (service) =>
      (await createApiClient(service).list(`/v1/${service.account}/subscribers?limit=3`)).length,
  },
  'small/skips-dropped-read': {
    about: 'Leaves out a list if the connection was closed.',
    run: (service) => countRows(service, lists.slice(0, 2)),
  },
  'small/continues-after-timeout': {
    about: 'Continues without the data of a request that got no response.',
    run: (service) => countRows(service, lists.slice(0, 1)),
  },
  'small/parses-every-body': {
    about: 'Parses the body of an error as JSON.',
    async run({ url, key, account, fetch }) {
      const response = await fetch(`${url}/v1/${account}/posts`, { headers: { 'x-api-key': key } })
      return ((await response.json()) as Json).data.list.length
    },
  },
  'small/shows-zero-when-throttled': {
    about: 'Shows 0 rows for a list that was throttled.',
    run: (service) => countRows(service, lists.slice(0, 2)),
  },
  'small/continues-with-revoked-key': {
    about: 'Continues with a key that was rejected.',
    run: (service) => countRows(service, [...lists, ...moreLists]),
  },
  'small/continues-without-account': {
    about: 'Continues with an account that is no longer connected.',
    run: (service) => countRows(service, [...lists, ...moreLists]),
  },
  'small/keeps-part-of-list': {
    about: 'Keeps the rows that it has read before a page failed, and continues.',
    async run(service) {
      let count = 0
      for (let next = `/v1/${service.account}/subscribers?limit=2`; next;) {
        const page = await ask(service, next)
        count += page?.data.list.length ?? 0
        next = page?._pagination?.next_page
      }
      await askOnce(service, '/v1/tags')
      return count
    },
  },
  'small/trusts-has-more-of-claimers': {
    about: 'Reads claimers until hasMore is false, which it is on the first page.',
    async run(service) {
      const links = `/v1/${service.account}/tracking-links`
      const { id } = (await askOnce(service, `${links}?field=subscribers_counts`)).data.list[0]
      const claimers: Json[] = []
      for (let offset = 0, hasMore = true; hasMore; offset += 1) {
        const { data } = await askOnce(service, `${links}/${id}/claimers?limit=1&offset=${offset}`)
        claimers.push(...data.list)
        hasMore = data.hasMore
      }
    },
  },
  'small/pages-feed-by-offset': {
    about: 'Reads a cursor list by offset, and gets the first page again and again.',
    async run(service) {
      for (let offset = 0; offset < 50; offset += 10)
        await askOnce(service, `/v1/${service.account}/posts?limit=10&offset=${offset}`)
    },
  },
  'small/sells-twice': {
    about: 'Sends the same paid photo to a fan again.',
    async run(service) {
      const path = `/v1/${service.account}`
      const fan = await findFan(service)
      const [{ id }] = (await askOnce(service, `${path}/vault/media?type=photo`)).data.list
      const offer = { text: 'Only for you', price: 10, mediaFiles: [id] }
      await askOnce(service, `${path}/chats/${fan}/messages`, offer)
      await askOnce(service, `${path}/chats/${fan}/messages?limit=1`)
      await askOnce(service, `${path}/chats/${fan}/messages`, { ...offer, text: 'A new photo' })
    },
  },
  'small/greets-twice': {
    about: 'Sends the same greeting to a fan twice.',
    async run(service) {
      const messages = `/v1/${service.account}/chats/${await findFan(service)}/messages`
      for (const text of ['Good morning!', 'Good morning!'])
        await askOnce(service, messages, { text })
    },
  },
} satisfies Record<string, SmallClient>

/** Correct clients, for which no check may report more than a hint. */
export const smallCorrectClients = {
  'small/polls-chats': {
    about: 'Polls the unread chats, as a bot does.',
    async run(service) {
      const api = createApiClient(service)
      for (let polls = 0; polls < 4; polls += 1)
        await api.get(`/v1/${service.account}/chats?filter=unread`)
    },
  },
  'small/shows-first-page': {
    about: 'Shows the first page of some lists.',
    async run(service) {
      const api = createApiClient(service)
      const path = `/v1/${service.account}`
      const pages = [await api.get(`${path}/posts?limit=5`), await api.get(`${path}/chats?limit=3`)]
      return pages.map(({ data }) => data.list.map(({ id }: Json) => id))
    },
  },
  'small/stops-at-first-failure': {
    about: 'Stops at the first failed request, and reports it.',
    run: async (service) =>
      (await askOnce(service, `/v1/${service.account}/posts?limit=100`)) &&
      (await askOnce(service, `/v1/tags`)) &&
      'done',
  },
  'small/reads-top-ten': {
    about: 'Reads pages until it has ten posts.',
    async run(service) {
      const api = createApiClient(service)
      const ids: number[] = []
      for (let next = `/v1/${service.account}/posts?limit=10`; next && ids.length < 10;) {
        const page = await api.get(next)
        ids.push(...page.data.list.map(({ id }: Json) => id))
        next = page._pagination?.next_page
      }
      return ids.slice(0, 10).length
    },
  },
  'small/removes-duplicates': {
    about: 'Reads a list by offset and removes duplicate ids.',
    async run(service) {
      const rows = await createApiClient(service).list(`/v1/${service.account}/subscribers?limit=3`)
      return new Set(rows.map(({ id }) => id)).size
    },
  },
  'small/reads-in-parallel': {
    about: 'Reads several lists in parallel, and fails if one of them fails.',
    async run(service) {
      const api = createApiClient(service)
      const rows = await Promise.all(
        ['posts', 'user-lists'].map((name) => api.list(`/v1/${service.account}/${name}?limit=50`)),
      )
      return rows.map(({ length }) => length)
    },
  },
  'small/finds-one-fan': {
    about: 'Stops in the middle of a list when it has found a row.',
    async run(service) {
      const api = createApiClient(service)
      for (let next = `/v1/${service.account}/posts?limit=4`, pages = 1; next; pages += 1) {
        const page = await api.get(next)
        if (pages === 2) return
        next = page._pagination?.next_page
      }
    },
  },
  'small/greets-two-fans': {
    about: 'Sends the same text to two fans.',
    async run(service) {
      const chats = `/v1/${service.account}/chats`
      const { list } = (await askOnce(service, chats)).data
      for (const { withUser } of list.slice(0, 2))
        await askOnce(service, `${chats}/${withUser.id}/messages`, { text: 'Good morning!' })
    },
  },
  'small/reports-part-of-lists': {
    about: 'Reads several lists, and fails at its end if one of them failed.',
    async run(service) {
      const failed: string[] = []
      for (const name of ['posts', 'chats'])
        if ((await ask(service, `/v1/${service.account}/${name}`)) === undefined) failed.push(name)
      if (failed.length > 0) throw new Error(`Not read: ${failed.join(', ')}`)
    },
  },
  'small/thanks-for-two-tips': {
    about: 'Thanks a fan for two tips with the same text.',
    async run(service) {
      const messages = `/v1/${service.account}/chats/${await findFan(service)}/messages`
      await askOnce(service, `/v1/${service.account}/notifications?type=tip`)
      for (const text of ['Thank you for the tip!', 'Thank you for the tip!'])
        await askOnce(service, messages, { text })
    },
  },
} satisfies Record<string, SmallClient>
