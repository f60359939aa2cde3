import { SandboxError } from '../errors.ts'
import type { ServiceResponse } from './service-response.ts'
import { LiveServiceError } from './retrying-client.ts'
import type { LiveRequest } from './retrying-client.ts'
import { isLoopbackHost } from '../lib/url.ts'

/** URL and key of a live service. */
export interface LiveService {
  /** The URL, as returned by `parseLiveUrl`. */
  base: string
  /** API key, which is only sent to this URL. */
  key: string
  /**
   * Response timeout, ms of real time.
   * @default 30 seconds
   */
  timeoutMs?: number
}

/** Maximum size of a response, bytes. */
const maxAnswerLength = 8 * 1024 * 1024
const maxRedirects = 3

/**
 * Parses a live service's URL and removes a trailing slash.
 *
 * @throws {SandboxError} if the text is not a URL, contains a password, or would send the key
 * unencrypted over a network
 */
export function parseLiveUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const refuse = (why: string) =>
    new SandboxError(
      `Failed to read --live (${JSON.stringify(url?.origin ?? text.slice(0, 100))}): ${why}.`,
    )
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw refuse('it must be an http or https URL')
  if (url.username !== '' || url.password !== '')
    throw refuse('it must not contain a password; set the key with --key-env')
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    throw refuse('the key would be sent unencrypted over the network; use https')
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, '')
}

/**
 * Creates a function that sends requests to a live service. It throws a `LiveServiceError` if there is no
 * response.
 */
export function createLiveServiceClient(
  service: LiveService,
): (request: LiveRequest) => Promise<ServiceResponse> {
  return async ({ method, path, body }) => {
    const response = await follow(service, { method, path, body })
    const text = await readText(response)
    return {
      status: response.status,
      contentType: response.headers.get('content-type'),
      json: parse(text),
    }
  }
}

/** Sends a request, following redirects only on the same host. */
async function follow(
  { base, key, timeoutMs = 30_000 }: LiveService,
  { method, path, body }: LiveRequest,
): Promise<Response> {
  let url = new URL(base + path)
  for (let redirects = 0; ; redirects += 1) {
    const response = await send(url, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const location =
      response.status >= 300 && response.status < 400 ? response.headers.get('location') : null
    if (location === null) return response
    await response.body?.cancel()
    const next = URL.canParse(location, url) ? new URL(location, url) : undefined
    if (next?.origin !== url.origin)
      throw new LiveServiceError(
        'it redirects to another host, and the key is not sent to other hosts',
      )
    if (redirects >= maxRedirects) throw new LiveServiceError('it redirects too often')
    url = next
  }
}

async function send(url: URL, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request)
  } catch (error) {
    throw toLiveError(error)
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  try {
    for await (const piece of response.body ?? []) {
      size += piece.length
      if (size > maxAnswerLength)
        throw new LiveServiceError(`its response is longer than ${maxAnswerLength} bytes`)
      text += decoder.decode(piece, { stream: true })
    }
  } catch (error) {
    throw error instanceof LiveServiceError ? error : toLiveError(error)
  }
  return text + decoder.decode()
}

/** Describes the failure without quoting the service. */
function toLiveError(error: unknown): LiveServiceError {
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } }
  if (name === 'TimeoutError')
    return new LiveServiceError('the response timed out', { cause: error })
  const code =
    typeof cause?.code === 'string' && /^[A-Z_]{1,40}$/.test(cause.code) ? ` (${cause.code})` : ''
  return new LiveServiceError(`the connection failed${code}`, { cause: error })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // A response that is not JSON is a finding, not a failure.
  }
}
