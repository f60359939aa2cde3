import type { components, paths } from 'creator-api-sandbox/schema'
import createClient from 'openapi-fetch'
import type { Client as FetchClient } from 'openapi-fetch'

export type Client = FetchClient<paths>
export type Post = components['schemas']['FeedPost']
export type FanStats = components['schemas']['FanStats']
export type PostQuery = paths['/v1/{account_id}/posts']['get']['parameters']['query']

/** An API client. The compiler checks paths, parameters and responses. */
export function connect(baseUrl: string, apiKey: string): Client {
  return createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${apiKey}` } })
}

/** Yields every post of an account, page by page. */
export async function* readPosts(
  client: Client,
  accountId: number,
  query: PostQuery = {},
): AsyncGenerator<Post> {
  let next: string | null | undefined
  do {
    const search = next?.split('?')[1]
    const { data, error, response } = await client.GET('/v1/{account_id}/posts', {
      params: { path: { account_id: accountId }, query },
      // next_page already contains all parameters, so its query is sent unchanged.
      ...(search === undefined ? {} : { querySerializer: () => search }),
    })
    if (error !== undefined) throw new ApiFailure(response.status, error.error)
    yield* data.data.list
    next = data._pagination?.next_page
  } while (next)
}

/** Returns a fan's spending on each of these accounts, largest first. */
export async function readFanStats(
  client: Client,
  fanId: number,
  accountIds: number[],
): Promise<FanStats[]> {
  const { data, error, response } = await client.POST('/v1/fans/{fan_id}/stats', {
    params: { path: { fan_id: fanId } },
    body: { account_ids: accountIds },
  })
  if (error !== undefined) throw new ApiFailure(response.status, error.error)
  return data.data.stats
}

/** A response whose status is not 2xx. Check the status, because error messages may change. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
