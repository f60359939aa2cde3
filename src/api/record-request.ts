import { getRequestSender } from '../world/journal/exchange.ts'
import type { Exchange } from '../world/journal/exchange.ts'
import { countBytes, toChunks } from '../lib/chunks.ts'
import type { Log } from '../lib/log.ts'
import type { RecordedRequest } from '../world/action-log.ts'
import type { Reply } from './route.ts'
import { truncateForMessage, quoteText } from '../errors.ts'
import type { World } from '../world/world.ts'
import { removeWorldFromKey, worldNameForm, worldNameRule } from '../world/world-name.ts'
import { findAcceptedKey, readApiKey, findApiKey, looksLikeLiveKey } from './admission.ts'
import {
  maskResponseBody,
  maskRequestBody,
  maskHeader,
  maskText,
  maskUrl,
  maskKey,
} from './credentials.ts'
import { readAccountId } from './request-state.ts'
import type { RequestContext, RequestState } from './request-state.ts'
import { isBytes } from '../lib/realms.ts'

/** The outcome of a request: the response, and the error if the request failed. */
export interface Outcome {
  reply: Reply
  /** Error message for the journal. Null if the request succeeded. */
  error: string | null
  code: string | null
}

/** The places where requests are recorded: the journal, the recorder and the log. */
export interface RecordDependencies extends RequestContext {
  /**
   * Logs unknown paths, requests rejected before the pipeline, and errors of the sandbox itself.
   */
  log: Log
}

/**
 * Adds a request to the journal and notifies the recorder. Health checks are not added to the
 * journal.
 */
export function recordRequest(
  { world, matcher, log, realTime }: RecordDependencies,
  request: RequestState,
  outcome: Outcome,
): void {
  const { sent: call, path, rawQuery, route, params } = request
  if (route?.isProbe?.({ params, rawQuery }) === true) return
  const nearMisses =
    route === undefined && call.refusal === undefined ? matcher.nearMisses(call.method, path) : none
  if (call.refusal !== undefined)
    log(`${call.method} ${maskPathForLog(world, path)}: ${call.refusal.message}`, 'note')
  else if (route === undefined)
    log(
      `${call.method} ${maskPathForLog(world, path)}: no such ` +
        `route${nearMisses.length === 0 ? '' : `; similar routes: ${nearMisses.join(', ')}`}`,
      'note',
    )
  const badWorld = explainWorldName(world, outcome.code === 'key_unknown' ? readApiKey(call) : null)
  if (badWorld !== undefined)
    log(`${call.method} ${maskPathForLog(world, path)}: ${badWorld}`, 'note')
  const { journal, recorder } = world
  if (journal.isDisabled && recorder === undefined && journal.onRecord === undefined) {
    journal.count({
      at: world.clock.now(),
      sender: request.sender,
      method: call.method,
      status: outcome.reply.status,
      error: outcome.error,
    })
    return
  }
  const durationMs =
    request.startedAt === null || realTime === undefined
      ? null
      : toMs(realTime() - request.startedAt)
  const exchange = toExchange(world, request, { outcome, durationMs, nearMisses })
  const id = journal.record(exchange)
  if (request.cause !== undefined) {
    request.cause.id = id
    request.cause.text = `${exchange.method} ${exchange.path}`
  }
  if (recorder === undefined || getRequestSender(exchange) !== 'client') return
  const isOpen = route?.accessChecks === 'none'
  const recorded = request.recorded ?? toRecordedRequest(world, request)
  if (recorded !== undefined)
    recorder.onResponse(recorded, { status: outcome.reply.status, code: outcome.code, isOpen })
}

/** Returns the masked path for the log. */
export function maskPathForLog(world: World, path: string): string {
  return truncateForMessage(maskUrl(world, path))
}

/**
 * Converts a request to the form that recordings use. Returns undefined if the route exists only in
 * an overlay.
 */
export function toRecordedRequest(
  world: World,
  { call: { method, url, body }, route, params, caller }: RequestState,
): RecordedRequest | undefined {
  const sent = { method, url, body: route?.fileLimit === undefined ? body : null, params }
  const plain = route?.toPlain === undefined ? sent : route.toPlain(sent)
  return (
    plain && {
      key: caller?.key.role ?? null,
      method: plain.method,
      path: maskUrl(world, plain.url),
      body: maskRequestBody(world, plain.body, route?.plainFields),
    }
  )
}

const none: readonly string[] = []
const answerLost = { isAnswerLost: true } as const
const answerLate = { isAnswerLate: true } as const
const revoked = { isKeyRevoked: true } as const

/** Marks a request that took effect although a fault dropped, replaced or delayed the response. */
function createLostResponseMark(
  { isCarriedOut }: RequestState,
  { cut: place, status }: Reply,
  error: string | null,
): Pick<Exchange, 'isAnswerLost' | 'isAnswerLate'> | undefined {
  if (isCarriedOut === true) return error === null ? answerLate : answerLost
  return place === 'midway' && status < 400 ? answerLost : undefined
}

function toMs(duration: number): number {
  return Math.round(duration * 1000) / 1000
}

function toExchange(
  world: World,
  request: RequestState,
  {
    outcome,
    durationMs,
    nearMisses,
  }: { outcome: Outcome } & Pick<Exchange, 'durationMs' | 'nearMisses'>,
): Exchange {
  const { reply, error, code } = outcome
  const { sent: call, route, caller, fault } = request
  // Masks unknown keys, because they may be valid for a live service.
  const unknown = caller === undefined ? readApiKey(call) : null
  const known = caller?.key ?? (unknown === null ? undefined : findAcceptedKey(world, unknown))
  const note =
    error !== null ? explainDeniedAccess(world, { code, sent: unknown, route, caller }) : undefined
  const maskedPath = maskUrl(world, call.url, isPathPlain(request))
  const { body } = reply
  const isFile = isBytes(body)
  const text = isFile ? null : (body as Exchange['response']['body'])
  return {
    at: world.clock.now(),
    startedAt: request.startedAt,
    durationMs,
    after: request.after,
    version: world.changeCount - world.journal.charges,
    sender: request.sender,
    method: call.method,
    path: maskedPath,
    route,
    account_id: readAccountId(request) ?? null,
    organisation: caller?.organisation.id ?? null,
    key:
      known === undefined
        ? unknown && maskKey(world, unknown)
        : removeWorldFromKey(known.key, world.id),
    role: known?.role ?? null,
    status: reply.status,
    credits: request.credits,
    error: error === null ? null : maskText(world, error, call.url),
    code,
    fault: fault?.id ?? null,
    ...createLostResponseMark(request, reply, error),
    nearMisses,
    ...(note === undefined ? undefined : { note }),
    ...(code === 'key_unknown' &&
    unknown !== null &&
    world.journal.wasAccepted(removeWorldFromKey(unknown, world.id))
      ? revoked
      : undefined),
    request: toStoredRequest(world, request),
    response: {
      content_type: reply.headers['content-type'] ?? null,
      headers: reply.headers,
      body:
        text === null
          ? null
          : maskReplyBody(world, text, {
              url: call.url,
              isError: error !== null,
              isPlain: maskedPath === call.url,
            }),
    },
    sizes:
      isFile || route?.fileLimit !== undefined
        ? { request: countBytes(toChunks(call.bytes ?? null)), response: isFile ? body.length : 0 }
        : undefined,
  }
}

/**
 * Masks a response before it is stored. Error messages can quote any part of the request. Other
 * responses quote only the query, in the link to the next page. `isPlain` means that the URL had no
 * credentials.
 */
function maskReplyBody(
  world: World,
  body: string | readonly Uint8Array[],
  { url, isError, isPlain }: { url: string; isError: boolean; isPlain: boolean },
): string | readonly Uint8Array[] {
  if (isError && typeof body === 'string') return maskText(world, body, url)
  return isPlain ? body : maskResponseBody(world, body)
}

/** True if a path has only constant segments and numbers. */
function isPathPlain({ route, params }: RequestState): boolean {
  if (route === undefined) return false
  for (const name in params) if (!digits.test(params[name] ?? '')) return false
  return true
}

const digits = /^\d+$/

/** Converts a request to the form that the journal stores. */
function toStoredRequest(
  world: World,
  { sent: call, route, caller }: RequestState,
): Exchange['request'] {
  const sent = call.headers?.() ?? {}
  const headers: Record<string, string | readonly string[] | undefined> = {}
  for (const name in sent)
    headers[name] = maskHeader(world, { name, value: sent[name], known: caller?.key })
  return {
    content_type: call.header('content-type'),
    headers,
    body:
      route?.fileLimit === undefined ? maskRequestBody(world, call.body, route?.plainFields) : null,
  }
}

/**
 * Explains why an API key led to a 401 or 403, for the journal. Returns undefined for other errors.
 * `sent` is the key in the request if the sandbox does not know it, and null otherwise.
 */
function explainDeniedAccess(
  world: World,
  {
    code,
    sent,
    route,
    caller,
  }: { code: string | null; sent: string | null } & Pick<RequestState, 'route' | 'caller'>,
): string | undefined {
  if (sent !== null && looksLikeLiveKey(world, sent)) return liveKeyNote
  if (code === 'key_missing') return `No key was sent. ${howToSend}`
  if (code === 'permission_missing')
    return explainMissingPermission(world, {
      permission: route?.permission ?? null,
      organisation: caller?.organisation.id ?? 0,
    })
  return code === 'key_unknown' && sent !== null ? explainUnknownKey(world, sent) : undefined
}

const howToSend =
  'Send Authorization: Bearer KEY, or X-API-Key: KEY. The keys are in sandbox.keys, in GET ' +
  '/_sandbox/state, and in the output of the server at start.'

const liveKeyNote =
  'The key looks like a live API key, so it was rejected and not stored. Use a key of the ' +
  'sandbox. If your test keys look like live keys, set --allow-live-looking-keys.'

/** Maximum number of keys of the organisation that are searched for a permission. */
const maxSearchedKeys = 1000
/** Maximum number of roles that the explanation names. */
const maxNamedRoles = 5

/** Names the roles of the organisation's keys that have the permission. */
function explainMissingPermission(
  { db }: World,
  { permission, organisation }: { permission: string | null; organisation: number },
): string {
  const keys = db.apiKeys
    .in('byOrganisation', organisation)
    .slice(0, maxSearchedKeys)
    .filter(({ permissions }) => permission !== null && permissions.includes(permission))
  const roles = [...new Set(keys.map(({ role }) => role))]
  if (roles.length === 0)
    return (
      'No key of the organisation has the permission. Add the permission to a role with the ' +
      'action role.change.'
    )
  const named =
    roles.slice(0, maxNamedRoles).join(', ') + (roles.length > maxNamedRoles ? ', …' : '')
  const holders =
    roles.length === 1
      ? `The role ${named} has the permission. Use its key`
      : `These roles have the permission: ${named}. Use the key of one of them`
  return `${holders}, or add the permission to this key's role with the action role.change.`
}

/** Explains why the world name of a key is invalid. Undefined for any other key. */
function explainWorldName({ db }: World, sent: string | null): string | undefined {
  const at = sent?.lastIndexOf('~') ?? -1
  const [key = '', name = ''] = [sent?.slice(0, at), sent?.slice(at + 1)]
  if (at <= 0 || findApiKey(db, key) === undefined || worldNameForm.test(name)) return undefined
  return `${badWorldName} ${quoteText(name, 80)} is not a valid world name: ${worldNameRule}.`
}

/** Start of the note about a key with an invalid world name. */
export const badWorldName = 'The key is valid, but'

function explainUnknownKey(world: World, sent: string): string {
  const badWorld = explainWorldName(world, sent)
  if (badWorld !== undefined) return badWorld
  if (sent.startsWith('sk_sandbox_'))
    return `The key belongs to another sandbox or was revoked. ${howToSend}`
  return `The key does not belong to this sandbox. ${howToSend}`
}
