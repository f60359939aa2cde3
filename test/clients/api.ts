/** The service under test, as passed to a client. */
export interface Service {
  url: string
  key: string
  account: number
  fetch: typeof fetch
}

/** A client function. Throws an error if the client fails. */
export type Client = (service: Service) => Promise<void>

// Clients read bodies of various shapes without a schema.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

/** A request that failed. */
export class RequestError extends Error {
  /** HTTP status, or 0 if there was no response. */
  readonly status: number

  constructor(request: string, status: number, text = 'no response') {
    super(`${request}: ${text}`)
    this.status = status
  }

  /** True if the service may have executed the request. */
  get isOpen(): boolean {
    return this.status === 0 || this.status >= 500
  }
}

/** Waits for a number of milliseconds. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

const maxAttempts = 6

/**
 * Returns functions that send requests as a correct client does. Reads are retried a few times
 * after a pause. Writes are retried only after a 429. After any other failure, the service may have
 * executed the write.
 */
export function createApiClient({ url, key, fetch }: Service) {
  async function send(
    method: string,
    path: string,
    { body, isRead = method === 'GET' }: { body?: unknown; isRead?: boolean } = {},
    attempt = 1,
  ): Promise<Json> {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(() => undefined)
    if (response?.ok === true) return response.json()
    const failure = new RequestError(
      `${method} ${path}`,
      response?.status ?? 0,
      response && `${response.status} ${await response.text()}`,
    )
    const canRepeat = failure.status === 429 || (isRead && failure.isOpen)
    if (!canRepeat || attempt === maxAttempts) throw failure
    await sleep((failure.status === 429 ? 1000 : 200) * 2 ** (attempt - 1))
    return send(method, path, { body, isRead }, attempt + 1)
  }
  return {
    get: (path: string) => send('GET', path),
    /** Returns the rows of all pages. */
    async list(path: string): Promise<Json[]> {
      const rows: Json[] = []
      for (let next: string | null | undefined = path; next != null;) {
        const page: Json = await send('GET', next)
        rows.push(...page.data.list)
        next = page._pagination?.next_page
      }
      return rows
    },
    /** Sends a POST request that only reads. */
    query: (path: string, body: unknown) => send('POST', path, { body, isRead: true }),
    post: (path: string, body: unknown) => send('POST', path, { body }),
  }
}

/**
 * Writes exactly once. If it is unclear whether the service executed the write, looks for its
 * result before a retry.
 */
export async function writeOnce(
  write: () => Promise<unknown>,
  isDone: () => Promise<boolean>,
): Promise<void> {
  for (let attempt = 1; attempt <= 3; attempt += 1)
    try {
      await write()
      return
    } catch (error) {
      if (!(error instanceof RequestError) || !error.isOpen || attempt === 3) throw error
      await sleep(200 * 2 ** attempt)
      if (await isDone()) return
    }
}
