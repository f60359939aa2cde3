/** The error of a control plane that refused a request or did not answer. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  /** The HTTP status; 0 when there was no answer, -1 when the request was aborted. */
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** The page's client of the control plane. */
export interface Api {
  get: <Answer>(path: string, query?: Query) => Promise<Answer>
  send: <Answer>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => Promise<Answer>
  /** Opens a stream of text. */
  open: (path: string, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>
  /** Keeps the token for as long as the tab lives. */
  unlock: (token: string) => void
}

type Query = Readonly<Record<string, string | number | undefined>>

const tokenKey = 'creator-api-sandbox token'

/** Writes a text as UTF-8 in a header, where `fetch` wants a character for each byte. */
function toHeader(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text))
}

/** Creates the client of the control plane of this page. It adds the `?world=` of the page to every request. */
export function createApi(): Api {
  const world = new URLSearchParams(location.search).get('world') ?? undefined
  let token = sessionStorage.getItem(tokenKey)
  const ask = async (
    method: string,
    path: string,
    { query = {}, body, signal }: { query?: Query; body?: unknown; signal?: AbortSignal },
  ) => {
    const parameters = Object.entries({ ...query, world }).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
    const headers = {
      ...(token === null ? {} : { authorization: `Bearer ${toHeader(token)}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const address = parameters.length === 0 ? path : `${path}?${new URLSearchParams(parameters).toString()}`
    const response = await fetch(address, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
      cache: 'no-store',
    }).catch((cause: unknown) => {
      throw new ControlError('The sandbox does not answer. Is it still running?', cause instanceof DOMException ? -1 : 0)
    })
    if (response.ok) return response
    const { error } = (await response.json().catch(() => ({}))) as { error?: string }
    throw new ControlError(error ?? `The sandbox answered ${response.status}.`, response.status)
  }
  return {
    get: (path, query) => ask('GET', path, { query }).then((response) => response.json()),
    send: (method, path, body) => ask(method, path, { body }).then((response) => response.json()),
    async open(path, signal) {
      const { body } = await ask('GET', path, { signal })
      if (body === null) throw new ControlError('The stream is empty.', 0)
      return body
    },
    unlock(newToken) {
      token = newToken
      sessionStorage.setItem(tokenKey, newToken)
    },
  }
}
