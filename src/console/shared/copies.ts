import type { About, Entry } from './types.ts'

/** A request that can be made again. */
export interface Remake {
  method: string
  /** The path under the address of the API, with its query. */
  path: string
  key: string | undefined
  contentType: string
  body: string | null
}

/** The address of the API. */
export function apiAddress(): string {
  return new URL('..', document.baseURI).href.replace(/\/$/, '')
}

/**
 * What of a request of the journal is needed to make it again. The journal keeps no key: it is that
 * of the role.
 */
export function toRemake({ method, path, role, request }: Entry, about: About | null): Remake {
  const key = about?.keys.find((each) => each.role === role)?.key
  return {
    method,
    path,
    key,
    contentType: request.content_type ?? 'application/json',
    body: request.body,
  }
}

/** Sends it, as a person at the console. */
export async function send({ method, path, key, contentType, body }: Remake): Promise<number> {
  const hasBody = body !== null && method !== 'GET' && method !== 'HEAD'
  const headers = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
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
    ...(key === undefined ? [] : ['-H', quote(`Authorization: Bearer ${key}`)]),
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
    ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
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

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Hands a text to the user as a file. */
export function download(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
