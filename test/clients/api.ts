import { setTimeout as sleep } from 'node:timers/promises'

/** The service, as a client gets it. */
export interface Service {
  url: string
  key: string
  account: number
  fetch: typeof fetch
}

/** A client. It throws if it fails. */
export type Client = (service: Service) => Promise<void>

// Clients read bodies of many shapes without a schema.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

/** A request that failed. */
export class RequestFailed extends Error {
  /** 0 if no answer came. */
  readonly status: number

  constructor(request: string, status: number, text = 'no answer') {
    super(`${request}: ${text}`)
    this.status = status
  }

  /** True if the service may have carried out the request. */
  get isOpen(): boolean {
    return this.status === 0 || this.status >= 500
  }
}

const maxAttempts = 6

/** Sends requests as a correct client does: it repeats reads after a pause, and gives up at last. */
export function openApi({ url, key, fetch }: Service) {
  async function send(method: string, path: string, body?: unknown, attempt = 1): Promise<Json> {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(() => undefined)
    if (response?.ok === true) return response.json()
    const failure = new RequestFailed(
      `${method} ${path}`,
      response?.status ?? 0,
      response && `${response.status} ${await response.text()}`,
    )
    const canRepeat = failure.status === 429 || (method === 'GET' && failure.isOpen)
    if (!canRepeat || attempt === maxAttempts) throw failure
    await sleep((failure.status === 429 ? 1000 : 200) * 2 ** (attempt - 1))
    return send(method, path, body, attempt + 1)
  }
  return {
    get: (path: string) => send('GET', path),
    post: (path: string, body: unknown) => send('POST', path, body),
    delete: (path: string) => send('DELETE', path),
  }
}
