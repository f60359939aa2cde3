import type { z } from 'zod'
import { countBytes, joinChunks } from '../../lib/chunks.ts'
import type { CredentialPatterns } from '../../lib/credentials.ts'
import { includesIgnoringCase } from '../../lib/text.ts'
import type { JournalEntry, JournalRow } from './journal-entry.ts'
import { getRequestFacts, maxReadLength } from './request-facts.ts'
import type { RequestFacts } from './request-facts.ts'

/** The properties of a route that the journal needs. */
export interface JournalRoute {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly group: string
  readonly kind: 'relay' | 'service'
  readonly permission: string | null
  readonly pagination?: { readonly next: 'address' | 'bare' }
  readonly query: z.ZodType
  readonly body: z.ZodType | null
  readonly fileLimit?: number
  /** True for a POST that only reads. */
  readonly isRead?: boolean | undefined
}

/** A request and its response, as stored in the journal. Credentials in the request are masked. */
export interface Exchange extends Pick<
  JournalEntry,
  | 'method'
  | 'path'
  | 'account_id'
  | 'organisation'
  | 'key'
  | 'role'
  | 'status'
  | 'credits'
  | 'error'
  | 'code'
  | 'fault'
> {
  /** Sandbox time, epoch ms. */
  at: number
  /** Real time when the request arrived, epoch ms. Null without `realTime`. */
  startedAt: number | null
  durationMs: number | null
  /** Id of the last request that was completed before this one arrived. */
  after: number
  /**
   * A number that increases with each change to records, except when a request is charged a credit.
   */
  version: number
  /** Set if a story sent the request. */
  sender?: 'story' | undefined
  /** Set if a fault dropped or replaced the response of a request that took effect. */
  isAnswerLost?: true
  /** Set if a fault delayed the response of a request that took effect immediately. */
  isAnswerLate?: true
  /** Set if a 401 was caused by a key that was removed recently. */
  isKeyRevoked?: true
  route: JournalRoute | undefined
  nearMisses: readonly string[]
  note?: string
  request: Pick<JournalEntry['request'], 'content_type' | 'body'> & {
    headers: Readonly<Record<string, string | readonly string[] | undefined>>
  }
  response: {
    content_type: string | null
    headers: Readonly<Record<string, string>>
    /** Text, or UTF-8 in chunks. Null for files. */
    body: string | readonly Uint8Array[] | null
  }
  /** Sizes of the bodies, bytes. Set for files. For other bodies, computed on first use. */
  sizes?: { request: number; response: number }
  /** Facts about the request, computed on first use. */
  facts?: RequestFacts
  /** Number of rows in a JSON response, computed on first use. */
  rows?: number | undefined
}

/**
 * Converts a stored request to a journal entry. Credentials in the response are masked only now,
 * because most responses are never read.
 */
export function toJournalEntry(
  id: number,
  exchange: Exchange,
  credentials: CredentialPatterns,
): JournalEntry {
  const { startedAt, role, route, path, request, response } = exchange
  const sizes = getBodySizes(exchange)
  const facts = getRequestFacts(exchange)
  const body = getBodyText(response.body)
  return {
    id,
    at: new Date(exchange.at).toISOString(),
    real_at: toIsoOrNull(startedAt),
    duration_ms: exchange.durationMs,
    asked_by: getRequestSender(exchange),
    method: exchange.method,
    path,
    route: route?.id ?? null,
    account_id: exchange.account_id,
    organisation: exchange.organisation,
    key: getMaskedKey(exchange),
    role,
    status: exchange.status,
    credits: exchange.credits,
    error: exchange.error,
    code: exchange.code,
    fault: exchange.fault,
    near_misses: exchange.nearMisses,
    note: exchange.note ?? (facts.isUnread ? unreadNote : null),
    ignored: facts.ignored,
    request: { ...request, headers: joinValues(request.headers), bytes: sizes.request },
    response: {
      content_type: response.content_type,
      headers: response.headers,
      body: body && credentials.mask(body, (key) => `<unknown key, ${key.length} characters>`),
      bytes: sizes.response,
    },
  }
}

/** Converts a stored request to a row of the journal. */
export function toJournalRow(id: number, exchange: Exchange): JournalRow {
  const { at, startedAt, durationMs, method, path, route } = exchange
  const { account_id, role, status, error, fault } = exchange
  return {
    id,
    at: new Date(at).toISOString(),
    real_at: toIsoOrNull(startedAt),
    duration_ms: durationMs,
    asked_by: getRequestSender(exchange),
    bytes: getBodySizes(exchange).response,
    method,
    path,
    route: route?.id ?? null,
    account_id,
    key: getMaskedKey(exchange),
    role,
    status,
    error,
    fault,
    ignored: getRequestFacts(exchange).ignored,
  }
}

const unreadNote =
  `The body has more than ${maxReadLength} characters, so its keys were not checked for ` +
  'parameters that have no effect.'

function getMaskedKey({ key, role }: Pick<Exchange, 'key' | 'role'>): string | null {
  return key === null || role === null ? key : `…${key.slice(-4)}`
}

function toIsoOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

/** True if the path or a body contains `text`, ignoring case. */
export function containsText({ path, request, response }: Exchange, text: string): boolean {
  return [path, request.body, getBodyText(response.body)].some(
    (each) => each !== null && includesIgnoringCase(each, text),
  )
}

/**
 * Returns the sender of a request. This is a story, a page according to the `referer` header, or
 * else a client. The server's pages send this header only to their own origin.
 */
export function getRequestSender({
  sender,
  request,
}: Pick<Exchange, 'sender' | 'request'>): JournalEntry['asked_by'] {
  if (sender !== undefined) return sender
  const { referer } = request.headers
  if (typeof referer !== 'string') return 'client'
  const page = referer.replace(/\/?(?:[?#].*)?$/s, '')
  if (page.endsWith('/_sandbox')) return 'console'
  return page.endsWith('/docs') ? 'docs' : 'client'
}

/** Returns the text of a stored body. */
export function getBodyText(body: Exchange['response']['body']): string | null {
  return body === null || typeof body === 'string'
    ? body
    : new TextDecoder().decode(joinChunks(body))
}

/** Returns the sizes of a request's bodies, bytes. */
export function getBodySizes(exchange: Exchange): { request: number; response: number } {
  return (exchange.sizes ??= {
    request: countBodyBytes(exchange.request.body),
    response: countBodyBytes(exchange.response.body),
  })
}

function countBodyBytes(body: Exchange['response']['body']): number {
  return typeof body === 'string' ? new TextEncoder().encode(body).length : countBytes(body ?? [])
}

/** Joins the values of each header that occurs several times. */
function joinValues(headers: Exchange['request']['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'string' ? value : value.join(', ')]],
    ),
  )
}
