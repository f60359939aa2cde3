import type { About, Entry } from '../../shared/types.ts'

/** A request that can be sent again. */
export interface ResendRequest {
  method: string
  /** Path and query, relative to the API URL. */
  path: string
  /** Name and value of the header with the API key, or undefined if the client sent no key. */
  key: readonly [name: string, value: string] | undefined
  /** True if the value is a placeholder, because the journal does not store keys. */
  isMasked: boolean
  contentType: string
  body: string | null
}

export function getApiUrl(): string {
  return new URL('..', document.baseURI).href.replace(/\/$/, '')
}

/**
 * Returns the data needed to send a journal entry's request again. The journal masks keys, so the
 * key is looked up among the keys of the world. It stays masked if it is not found.
 */
export function toResendRequest(entry: Entry, about: About | null): ResendRequest {
  const { method, path, request } = entry
  const known = findKnownKey(entry, about)
  const name = request.headers['x-api-key'] === undefined ? 'Authorization' : 'X-API-Key'
  const sent = request.headers[name.toLowerCase()]
  const value = name === 'X-API-Key' ? known : `Bearer ${known}`
  return {
    method,
    path,
    key:
      sent === undefined
        ? undefined
        : [name, known === undefined ? toPlaceholder(sent) : String(value)],
    isMasked: sent !== undefined && known === undefined,
    contentType: request.content_type ?? 'application/json',
    body: request.body,
  }
}

/** Returns the request with another key, sent in the same header. */
export function withKey(request: ResendRequest, key: string): ResendRequest {
  const isApiKey = request.key?.[0] === 'X-API-Key'
  return {
    ...request,
    key: isApiKey ? ['X-API-Key', key] : ['Authorization', `Bearer ${key}`],
    isMasked: false,
  }
}

/** Converts a masked header to one whose key has no spaces: `Bearer unknown-key-12-characters`. */
function toPlaceholder(masked: string): string {
  return masked.replace(/<(.*)>/, (_, words: string) => words.replaceAll(/[ ,]+/g, '-'))
}

/**
 * Finds the key of an entry in the world, by the role and the last characters that the entry
 * contains.
 */
function findKnownKey({ key, role }: Entry, about: About | null): string | undefined {
  if (key === null || role === null) return undefined
  const end = key.replace(/^…/, '')
  return about?.keys.find(
    (each) => each.role === role && each.key.replace(/~[a-z0-9-]+$/, '').endsWith(end),
  )?.key
}

/** Sends a request again from the console. */
export async function resendRequest({
  method,
  path,
  key,
  contentType,
  body,
}: ResendRequest): Promise<number> {
  const hasBody = body !== null && method !== 'GET' && method !== 'HEAD'
  const headers = {
    ...(key === undefined ? {} : Object.fromEntries([key])),
    ...(hasBody ? { 'content-type': contentType } : {}),
  }
  const { status } = await fetch(getApiUrl() + path, {
    method,
    headers,
    body: hasBody ? body : null,
    cache: 'no-store',
  })
  return status
}

/** Formats a request as a curl command. */
export function toCurlCommand({ method, path, key, contentType, body }: ResendRequest): string {
  const parts = [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    ...(key === undefined ? [] : ['-H', quoteForShell(key.join(': '))]),
    ...(body === null
      ? []
      : ['-H', quoteForShell(`Content-Type: ${contentType}`), '--data-raw', quoteForShell(body)]),
    quoteForShell(getApiUrl() + path),
  ]
  return parts.join(' ')
}

/** Formats a request as a `fetch` call. */
export function toFetchCode({ method, path, key, contentType, body }: ResendRequest): string {
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
    `const response = await fetch(${JSON.stringify(getApiUrl() + path)}, ` +
    `${JSON.stringify(options, null, 2)})`
  )
}

/** Formats a request and its response as a Vitest or Jest test. */
export function toTestCode(remake: ResendRequest, { method, path, status, error }: Entry): string {
  const call = toFetchCode(remake).replaceAll('\n', '\n  ')
  const text =
    error === null ? '' : `\n  expect((await response.json()).error).toBe(${JSON.stringify(error)})`
  const title = JSON.stringify(`answers ${method} ${path} with ${status}`)
  return (
    `it(${title}, async () => {\n  ${call}\n  ` +
    `expect(response.status).toBe(${status})${text}\n})\n`
  )
}

/** Quotes a string for a shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

export function downloadText(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
