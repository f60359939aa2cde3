import type { About, Entry } from './types.ts'

/** A request that can be sent again. */
export interface Remake {
  method: string
  /** The path under the address of the API, with its query. */
  path: string
  /** The header with the key: name and value. Undefined if the client sent none. */
  key: readonly [name: string, value: string] | undefined
  contentType: string
  body: string | null
}

/** The address of the API. */
export function apiAddress(): string {
  return new URL('..', document.baseURI).href.replace(/\/$/, '')
}

/**
 * The parts of a journal entry that are needed to send the request again. The journal masks keys.
 * So the key comes from the role, and an unknown key becomes another unknown key.
 */
export function toRemake(entry: Entry, about: About | null): Remake {
  const { method, path, role, request } = entry
  const known = about?.keys.find((each) => each.role === role)?.key
  const name = request.headers['x-api-key'] === undefined ? 'Authorization' : 'X-API-Key'
  const sent = request.headers[name.toLowerCase()]
  const key = role === null ? 'unknown-key' : (known ?? 'unknown-key')
  return {
    method,
    path,
    key: sent === undefined ? undefined : [name, name === 'X-API-Key' ? key : `Bearer ${key}`],
    contentType: request.content_type ?? 'application/json',
    body: request.body,
  }
}

/** Sends a request from the console. */
export async function send({ method, path, key, contentType, body }: Remake): Promise<number> {
  const hasBody = body !== null && method !== 'GET' && method !== 'HEAD'
  const headers = {
    ...(key === undefined ? {} : Object.fromEntries([key])),
    ...(hasBody ? { 'content-type': contentType } : {}),
  }
  const { status } = await fetch(apiAddress() + path, {
    method,
    headers,
    body: hasBody ? body : null,
    cache: 'no-store',
  })
  return status
}

/** Writes a request as a curl command. */
export function toCurl({ method, path, key, contentType, body }: Remake): string {
  const parts = [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    ...(key === undefined ? [] : ['-H', quote(key.join(': '))]),
    ...(body === null
      ? []
      : ['-H', quote(`Content-Type: ${contentType}`), '--data-raw', quote(body)]),
    quote(apiAddress() + path),
  ]
  return parts.join(' ')
}

/** Writes a request as a call of fetch. */
export function toFetch({ method, path, key, contentType, body }: Remake): string {
  const headers = {
    ...(key === undefined ? {} : Object.fromEntries([key])),
    ...(body === null ? {} : { 'Content-Type': contentType }),
  }
  const options = {
    ...(method === 'GET' ? {} : { method }),
    headers,
    ...(body === null ? {} : { body }),
  }
  return (
    `const response = await fetch(${JSON.stringify(apiAddress() + path)}, ` +
    `${JSON.stringify(options, null, 2)})`
  )
}

/** Writes a request and its answer as a test for Vitest or Jest. */
export function toTest(remake: Remake, { method, path, status, error }: Entry): string {
  const call = toFetch(remake).replaceAll('\n', '\n  ')
  const text =
    error === null ? '' : `\n  expect((await response.json()).error).toBe(${JSON.stringify(error)})`
  const title = JSON.stringify(`answers ${method} ${path} with ${status}`)
  return (
    `it(${title}, async () => {\n  ${call}\n  ` +
    `expect(response.status).toBe(${status})${text}\n})\n`
  )
}

/** Quotes a text for a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Downloads a text as a file. */
export function download(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
