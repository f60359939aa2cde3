// Reads every list twice: to its end in pages of 50 rows, and the first pages of the default size.
import { createApiClient } from './api.ts'
import type { Client, Json } from './api.ts'

export default (async (service) => {
  const api = createApiClient(service)
  const account = `/v1/${service.account}`
  const findRows = ({ data }: Json): Json[] =>
    Array.isArray(data) ? data : (Object.values<Json>(data).find(Array.isArray) ?? [])
  const walk = async (path: string, maxPages = Infinity): Promise<Json[]> => {
    const rows: Json[] = []
    let next: string | null | undefined = path
    for (let pages = 0; next != null && pages < maxPages; pages += 1) {
      const page: Json = await api.get(next)
      rows.push(...findRows(page))
      next = page._pagination?.next_page
    }
    return rows
  }
  /** Reads a list that takes a page size. */
  const read = async (path: string): Promise<Json[]> => {
    const rows = await walk(`${path}${path.includes('?') ? '&' : '?'}limit=50`)
    await walk(path, 2)
    return rows
  }
  /** Reads two windows of a list. */
  const readWindows = async (path: string): Promise<Json[]> => {
    const rows = await walk(path)
    await walk(`${path}${path.includes('?') ? '&' : '?'}start_date=2026-08-01&end_date=2026-09-15`)
    return rows
  }

  const accounts = { account_ids: [service.account] }
  const { fans } = (await api.query('/v1/fans?limit=50', accounts)).data
  await api.query('/v1/fans', accounts)
  for (const { fan_id: fan } of fans.slice(0, 1))
    for (const body of [accounts, { ...accounts, limit: 50, from: '2026-08-01' }])
      await api.query(`/v1/fans/${fan}/transactions`, body)

  for (const { id } of (await read(`${account}/posts`)).slice(0, 1))
    await read(`${account}/posts/${id}/comments`)
  for (const name of ['subscribers', 'posts/labels', 'user-lists', 'vault/media', 'vault/lists'])
    await read(`${account}/${name}`)
  for (const name of ['following', 'restricted', 'blocked', 'latest'])
    await read(`${account}/subscribers/${name}`)
  for (const { id } of (await read(`${account}/user-lists?sort_by=name`)).slice(0, 1))
    await read(`${account}/user-lists/${id}/users`)
  await read('/v1/gifs/search?q=cat')
  await read('/v1/gifs/trending')
  for (const [kind, claimers] of [
    ['tracking-links', 'claimers'],
    ['trial-links', 'subscribers'],
  ]) {
    const links = await read(`${account}/${kind}`)
    await read(`${account}/fm/${kind}`)
    for (const { id } of links.slice(0, 1)) {
      await read(`${account}/${kind}/${id}/${claimers}`)
      await read(`${account}/fm/${kind}/${id}/${claimers}`)
    }
  }
  await read(`${account}/campaigns`)
  for (const { id } of await read(`${account}/reach/promotions`))
    await read(`${account}/reach/promotions/${id}/subscribers`)
  await read(`${account}/promotions-trials`)
  const chats = await read(`${account}/chats`)
  for (const { withUser } of chats.slice(0, 2)) {
    await read(`${account}/chats/${withUser.id}/messages`)
    await read(`${account}/chats/${withUser.id}/messages/search?query=a`)
    await read(`${account}/chats/${withUser.id}/media`)
  }
  const sent = await read(`${account}/mass-messages`)
  for (const { id } of sent.slice(0, 2)) await read(`${account}/mass-messages/${id}/buyers`)
  await read(`${account}/mass-messages/lists`)
  await read(`${account}/schedules`)
  await read(`${account}/lists`)
  await read(`${account}/notifications`)
  await read(`${account}/referrals`)
  for (const name of [
    'subscribers/top',
    'subscribers/latest?limit=50',
    'engagement/posts/likes',
    'referrals/payouts',
    'payouts/requests',
    'mass-messages?limit=50',
    'direct-messages?limit=50',
    'earnings',
  ])
    await readWindows(`${account}/${name}`)
  for (const { id } of await readWindows(`${account}/engagement/stories/likes`))
    await read(`${account}/stories/${id}/viewers`)
}) satisfies Client
