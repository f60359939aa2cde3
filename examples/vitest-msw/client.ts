/** The post fields that this client uses. */
export interface Post {
  id: number
  postedAt: string
  rawText: string
  media: { id: number; type: string; files?: { thumb: { url: string } } }[]
}

export interface ClientOptions {
  baseUrl: string
  apiKey: string
  /** Waits between attempts. Tests pass a function that returns immediately. */
  wait?: (delayMs: number) => Promise<void>
  /** Maximum number of attempts for a throttled request. @default 4 */
  attempts?: number
}

const reasons: Readonly<Record<number, string>> = {
  401: 'unknown_key',
  402: 'out_of_credits',
  403: 'forbidden',
  404: 'not_found',
  424: 'session_lapsed',
  429: 'throttled',
}

/**
 * A response whose status is not 2xx. Check the reason or the status, because error messages may
 * change.
 */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly status: number
  readonly reason: string

  constructor(status: number, message: string) {
    super(message)
    this.status = status
    this.reason = reasons[status] ?? (status >= 500 ? 'upstream' : 'refused')
  }
}

/** A small API client that retries throttled requests, reads all pages and throws errors. */
export class CreatorClient {
  readonly #options: Required<ClientOptions>

  constructor(options: ClientOptions) {
    this.#options = {
      wait: (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs)),
      attempts: 4,
      ...options,
    }
  }

  /** Yields every post of an account, newest first, loading pages as needed. */
  async *posts(accountId: number, pageSize = 10): AsyncGenerator<Post> {
    let path: string | undefined = `/v1/${accountId}/posts?limit=${pageSize}`
    while (path !== undefined) {
      const page = (await (await this.#send(path)).json()) as {
        data: { list: Post[] }
        _pagination?: { next_page: string }
      }
      yield* page.data.list
      path = page._pagination?.next_page
    }
  }

  /** Downloads a media file from its link, which is valid for a limited time. */
  async download(link: string): Promise<Uint8Array> {
    return new Uint8Array(await (await this.#send(link)).arrayBuffer())
  }

  async #send(address: string, attempt = 1): Promise<Response> {
    const { baseUrl, apiKey, attempts, wait } = this.#options
    const response = await fetch(address.startsWith('/') ? `${baseUrl}${address}` : address, {
      headers: { authorization: `Bearer ${apiKey}` },
    })
    if (response.ok) return response
    if (response.status === 429 && attempt < attempts) {
      // The API sends no Retry-After, so each wait is twice as long as the previous one.
      await wait(1000 * 2 ** (attempt - 1))
      return this.#send(address, attempt + 1)
    }
    const { error } = (await response.json()) as { error: string }
    throw new ClientError(response.status, error)
  }
}
