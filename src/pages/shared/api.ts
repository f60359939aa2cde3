/** Thrown if the control plane returned an error or did not respond. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  /** HTTP status: 0 if there was no response, -1 if the request was aborted. */
  readonly status: number
  /** Path of the input field that caused the error, if the server names one. */
  readonly field: string | undefined

  constructor(message: string, status: number, field?: string) {
    super(message)
    this.status = status
    this.field = field
  }
}

/** The page's client for the control plane. */
export interface Api {
  get: <Answer>(path: string, query?: Query, signal?: AbortSignal) => Promise<Answer>
  send: <Answer>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    query?: Query,
  ) => Promise<Answer>
  /** Opens a stream of text. */
  open: (path: string, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>
  /** Creates the page's isolated world. */
  createWorld: () => Promise<void>
  /** Returns a stream name that is the same in all tabs with the same world and token. */
  streamName: () => Promise<string>
  /** Stores the token until the tab is closed. */
  unlock: (token: string) => void
}

interface ErrorBody {
  error?: string
  field?: string
}

type Query = Readonly<Record<string, string | number | undefined>>

const tokenKey = 'creator-api-sandbox token'

/** Returns the page's isolated world, or undefined for the main world. */
export function getPageWorld(): string | undefined {
  return new URLSearchParams(location.search).get('world') ?? undefined
}

/** Returns the page URL for a world, or for the main world if null. */
export function toWorldUrl(world: string | null, hash: string): string {
  return (world === null ? './' : `./?world=${encodeURIComponent(world)}`) + hash
}

/** Returns the control token, which is stored until the tab is closed. */
export function readStoredToken(): string | null {
  return sessionStorage.getItem(tokenKey)
}

/** Encodes a string as UTF-8 for a header, because `fetch` requires characters of one byte. */
function toHeader(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text))
}

/**
 * Creates the page's client for the control plane, which adds the page's `?world=` to each request.
 */
export function createApi(): Api {
  const world = getPageWorld()
  let token = readStoredToken()
  const ask = async (
    method: string,
    path: string,
    { query = { world }, body, signal }: { query?: Query; body?: unknown; signal?: AbortSignal },
  ) => {
    const parameters = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    )
    const headers = {
      ...(token === null ? {} : { authorization: `Bearer ${toHeader(token)}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const address =
      parameters.length === 0 ? path : `${path}?${new URLSearchParams(parameters).toString()}`
    const response = await fetch(address, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
      cache: 'no-store',
    }).catch((cause: unknown) => {
      throw new ControlError(
        'The sandbox does not respond. Check that the server is still running.',
        cause instanceof DOMException ? -1 : 0,
      )
    })
    if (response.ok) return response
    const { status } = response
    const { error, field } = (await response.json().catch(() => ({}))) as ErrorBody
    throw new ControlError(error ?? `The sandbox answered ${status}.`, status, field)
  }
  return {
    get: (path, query, signal) =>
      ask('GET', path, { query: { world, ...query }, ...(signal && { signal }) }).then((response) =>
        response.json(),
      ),
    send: (method, path, body, query) =>
      ask(method, path, { body, query: { world, ...query } }).then((response) => response.json()),
    async open(path, signal) {
      const { body } = await ask('GET', path, { signal })
      if (body === null) throw new ControlError('The stream is empty.', 0)
      return body
    },
    async createWorld() {
      await ask('POST', 'worlds', { query: {}, body: { name: world } })
    },
    async streamName() {
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token ?? ''))
      return [new URL('.', document.baseURI).pathname, world ?? '', ...new Uint8Array(digest)].join(
        ' ',
      )
    },
    unlock(newToken) {
      token = newToken
      sessionStorage.setItem(tokenKey, newToken)
    },
  }
}
