/**
 * An error of the API: its status, its sentence with `{placeholders}`, and the source of the
 * status.
 */
interface CatalogueEntry {
  status: number
  message: string
  source: string
}

/**
 * Every error that a route or the gate answers, the source of `docs/errors.md`. The texts are
 * inferred: the reference shows none.
 */
export const errorCatalogue = {
  host_foreign: {
    status: 403,
    message:
      'The server does not answer to the host {host}; use a loopback address, its --host or its ' +
      '--base-url, or start it with --allow-host.',
    source: "the sandbox's own",
  },
  origin_foreign: {
    status: 403,
    message:
      'The server does not answer to pages of {origin}; serve them from a loopback address or ' +
      'from its --base-url, ' +
      'or start it with --allow-origin, which opens the API alone.',
    source: "the sandbox's own",
  },
  key_missing: {
    status: 401,
    message:
      "No API key was sent; send 'Authorization: Bearer <API_KEY>' or 'X-API-Key: <API_KEY>'.",
    source: 'reference §5.4',
  },
  key_unknown: { status: 401, message: 'The API key is not valid.', source: 'reference §5.4' },
  minute_limit: {
    status: 429,
    message: 'Rate limit exceeded: {limit} requests per minute for this organisation{clock}.',
    source: 'reference §8',
  },
  day_limit: {
    status: 429,
    message: 'Rate limit exceeded: {limit} requests per day for this organisation{clock}.',
    source: 'reference §8',
  },
  subscription_inactive: {
    status: 402,
    message: 'The organisation has no active subscription.',
    source: 'inferred',
  },
  credits_exhausted: {
    status: 402,
    message: 'The organisation is out of credits.',
    source: 'inferred',
  },
  route_unknown: { status: 404, message: 'No route answers {method} {path}.', source: 'inferred' },
  permission_missing: {
    status: 403,
    message: "The key's role {role} lacks the permission {permission}.",
    source: 'reference §5.3',
  },
  account_unknown: {
    status: 404,
    message: 'Account {account_id} is not a connected account of this organisation.',
    source: 'reference §7',
  },
  body_too_large: {
    status: 413,
    message: 'The request body is larger than {limit} bytes.',
    source: 'reference §7.2',
  },
  body_not_json: {
    status: 400,
    message: 'The request body must be JSON with Content-Type: application/json; {problem}.',
    source: 'inferred',
  },
  body_encoded: {
    status: 400,
    message: 'The request body has the Content-Encoding {encoding}; send it as it is, without one.',
    source: 'inferred',
  },
  parameter_invalid: {
    status: 400,
    message: '{place} {name} is {received}, but {expected}.',
    source: 'reference §7',
  },
  session_lapsed: {
    status: 424,
    message: 'The upstream session of account {account_id} has lapsed; reconnect the account.',
    source: 'reference §1',
  },
  window_reversed: {
    status: 400,
    message: '{from_name} ({from}) is later than {to_name} ({to}).',
    source: 'reference §4 Fans 2',
  },
  post_unknown: {
    status: 404,
    message: 'Post {post_id} does not exist on account {account_id}.',
    source: 'inferred',
  },
  label_unknown: {
    status: 404,
    message: 'Label {label_id} does not exist on account {account_id}.',
    source: 'inferred',
  },
  media_unknown: {
    status: 404,
    message: 'Vault media {media_id} does not exist on account {account_id}.',
    source: 'inferred',
  },
  vault_list_unknown: {
    status: 404,
    message: 'Vault list {list_id} does not exist on account {account_id}.',
    source: 'inferred',
  },
  media_hash_unknown: {
    status: 404,
    message: 'No vault media of account {account_id} has the hash {hash} and {size} bytes.',
    source: 'inferred',
  },
  upload_unknown: {
    status: 404,
    message: 'Upload {upload_id} is not open under that key on account {account_id}.',
    source: 'inferred',
  },
  upload_address_unknown: {
    status: 404,
    message: 'This address belongs to no open upload; create one for fresh addresses.',
    source: 'inferred',
  },
  post_locked: {
    status: 403,
    message: 'Post {post_id} is locked by the platform and cannot be {verb}.',
    source: 'inferred',
  },
  upload_expired: {
    status: 403,
    message: 'This upload address has expired; create the upload again for a fresh one.',
    source: 'inferred',
  },
  upload_empty: {
    status: 400,
    message: 'The request has no body; PUT the bytes of the file.',
    source: 'inferred',
  },
  vault_list_protected: {
    status: 403,
    message: 'Vault list {list_id} ({name}) is built in and cannot be {verb}.',
    source: 'reference §4 Vault',
  },
  share_unknown: {
    status: 404,
    message: 'Share {share_id} does not exist, or is no longer open.',
    source: 'reference §7',
  },
  tag_unknown: {
    status: 404,
    message: 'Tag {tag_id} does not exist in this organisation.',
    source: 'inferred',
  },
  trial_link_unknown: {
    status: 404,
    message: 'Trial link {link_id} does not exist on account {account_id}.',
    source: 'inferred',
  },
  tracking_link_unknown: {
    status: 404,
    message: 'Tracking link {link_id} does not exist on account {account_id}.',
    source: 'inferred',
  },
  story_unknown: {
    status: 404,
    message: 'Story {story_id} does not exist on account {account_id}.',
    source: 'inferred',
  },
  promotion_unknown: {
    status: 404,
    message: 'Promotion {promo_id} does not exist on account {account_id}.',
    source: 'inferred',
  },
  fan_unknown: {
    status: 404,
    message: 'Fan {fan_id} is not known to account {account_id}.',
    source: 'inferred',
  },
  user_unknown: { status: 404, message: 'User {user} does not exist.', source: 'inferred' },
  user_list_unknown: {
    status: 404,
    message: 'User list {list_id} does not exist on account {account_id}.',
    source: 'inferred',
  },
  user_list_protected: {
    status: 403,
    message: 'User list {list_id} is kept by the platform and cannot be {verb}.',
    source: 'inferred',
  },
  user_list_member_unknown: {
    status: 404,
    message: 'User {user_id} is not in user list {list_id}.',
    source: 'inferred',
  },
  message_unknown: {
    status: 404,
    message: 'Message {message_id} does not exist on account {account_id}.',
    source: 'inferred',
  },
  mass_message_unknown: {
    status: 404,
    message: 'Mass message {message_id} does not exist on account {account_id}.',
    source: 'inferred',
  },
  mass_message_final: {
    status: 403,
    message: 'Mass message {message_id} is {state} and can no longer be {verb}.',
    source: 'inferred',
  },
  schedule_item_unknown: {
    status: 404,
    message:
      'Nothing with the id {item_id} is scheduled on account {account_id}; item_id is the ' +
      "item's id, not that of its post or message.",
    source: 'inferred',
  },
  chat_unknown: {
    status: 404,
    message:
      "Chat {chat_id} does not exist on account {account_id}; chat_id is the chat's id, not the " +
      "fan's.",
    source: 'inferred',
  },
  chat_with_unknown: {
    status: 404,
    message:
      "Account {account_id} has no chat with user {user_id}; user_id is the fan's id, not the " +
      "chat's.",
    source: 'inferred',
  },
  chat_without_fan: {
    status: 400,
    message:
      'User {user_id} wrote nothing in the chat with account {account_id} that could be unread.',
    source: 'inferred',
  },
  message_of_fan: {
    status: 403,
    message: 'Message {message_id} was written by the fan and cannot be {verb}.',
    source: 'inferred',
  },
  unsend_over: {
    status: 403,
    message: 'Message {message_id} was sent more than 24 hours ago and cannot be unsent.',
    source: 'inferred',
  },
  fan_blocked: {
    status: 403,
    message: 'Account {account_id} has blocked user {user_id} and cannot write to them.',
    source: 'inferred',
  },
  media_link_invalid: {
    status: 403,
    message:
      'The media link is incomplete or was altered; request the item again for a fresh link.',
    source: 'reference §7',
  },
  media_link_expired: {
    status: 403,
    message: 'The media link has expired; request the item again for a fresh link.',
    source: 'reference §7',
  },
  media_account_gone: {
    status: 404,
    message: 'The account of this media link was disconnected or removed.',
    source: 'reference §7',
  },
  media_gone: {
    status: 404,
    message: 'The media of this link no longer exists.',
    source: 'inferred',
  },
  media_load_limit: {
    status: 429,
    message: 'The account loaded {limit} files in this minute; try again in the next one.',
    source: 'reference §8',
  },
  range_unsatisfiable: {
    status: 416,
    message: 'Range {range} lies outside the file of {size} bytes.',
    source: 'inferred',
  },
  fault_injected: {
    status: 500,
    message: 'The sandbox was told to answer {status} here.',
    source: 'inferred',
  },
  upstream_refused: {
    status: 502,
    message: 'The platform refused the request.',
    source: 'reference §7',
  },
  memory_full: {
    status: 503,
    message: 'The sandbox has used its budget of {limit} MB of memory (--max-memory). {advice}',
    source: 'inferred',
  },
  worlds_full: {
    status: 503,
    message:
      'There are {limit} isolated worlds already (--max-worlds), and each was used within the ' +
      'last five minutes. Remove those that are ' +
      'done with (DELETE /_sandbox/worlds/{id}), or allow more.',
    source: 'inferred',
  },
  overlaid: { status: 500, message: '{text}', source: 'inferred' },
  internal_error: {
    status: 500,
    message: 'The sandbox failed to answer; this is a bug in the sandbox, see its log.',
    source: 'inferred',
  },
} as const satisfies Record<string, CatalogueEntry>

/** What to do about a budget that is used up. */
export const budgetAdvice =
  'Delete records, remove worlds (DELETE /_sandbox/worlds/{id}), empty the journal (DELETE ' +
  '/_sandbox/requests), reset, ' +
  'or give a larger one.'

/** The name of an error in the catalogue. */
export type ErrorCode = keyof typeof errorCatalogue

/** An error answer of the API: its status and the sentence of its body. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number

  constructor(code: ErrorCode, status: number, message: string) {
    super(message)
    this.code = code
    this.status = status
  }
}

/**
 * Makes an error of the catalogue. `values` fills its placeholders, and `status` replaces its
 * status.
 */
export function apiError(
  code: ErrorCode,
  values: Record<string, string | number> = {},
  status?: number,
): ApiError {
  const entry: CatalogueEntry = errorCatalogue[code]
  const message = entry.message.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = String(values[name] ?? placeholder)
    // What is allowed is ours to say, however long; all else may be what was sent.
    return name === 'expected' ? value : cut(value)
  })
  return new ApiError(code, status ?? entry.status, message)
}

/** An error of the developer who uses the sandbox. API clients never see it. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
}

/** The error for direct use of a sandbox before its data are there. */
export function notReady(verb: string): SandboxError {
  return new SandboxError(`Failed to ${verb}: the sandbox is not ready. Await sandbox.ready first.`)
}

/** The error of a story that met a step that could not be done. */
export function brokenStory(problem: string): SandboxError {
  return new SandboxError(`Failed to play the story as it is written: ${problem}`)
}

/**
 * An error as the caller of a method of ours sees it: the line of that call stands on top of its
 * stack. Errors of other kinds, which are bugs of ours, keep theirs.
 */
export function atCaller(error: unknown, method: (...args: never[]) => unknown): unknown {
  const { captureStackTrace } = Error as {
    captureStackTrace?: (target: Error, above: unknown) => void
  }
  if (error instanceof SandboxError) captureStackTrace?.(error, method)
  return error
}

/**
 * Does the job of a method. What it throws is as the caller of the method sees it: see `atCaller`.
 */
export function forCaller<Result>(
  method: (...args: never[]) => unknown,
  job: () => Result,
): Result {
  try {
    return job()
  } catch (error) {
    throw atCaller(error, method)
  }
}

/**
 * The same for a job that takes a while: by the time that it fails, the call has left the stack.
 */
export async function forCallerLater<Result>(
  method: (...args: never[]) => unknown,
  job: () => Promise<Result>,
): Promise<Result> {
  const call = atCaller(new SandboxError(''), method) as SandboxError
  try {
    return await job()
  } catch (error) {
    const lines = call.stack?.indexOf('\n    at ') ?? -1
    if (error instanceof SandboxError && lines !== -1)
      error.stack = `${error.name}: ${error.message}${call.stack?.slice(lines)}`
    throw error
  }
}

/** Makes the methods of an object throw as `atCaller` says. */
export function throwingAtCaller<Methods extends object>(methods: Methods): Methods {
  const wrap = (method: (...args: unknown[]) => unknown) =>
    function wrapped(...args: unknown[]): unknown {
      try {
        return method(...args)
      } catch (error) {
        throw atCaller(error, wrapped)
      }
    }
  return Object.fromEntries(
    Object.entries(methods).map(([name, value]) => [
      name,
      typeof value === 'function' ? wrap(value as never) : value,
    ]),
  ) as Methods
}

/** So many wait for a busy world that no more can. */
export class CrowdError extends SandboxError {}

/**
 * The error of what would take the sandbox beyond its budget of memory. It names the budget and
 * what to do.
 */
export class MemoryLimitError extends SandboxError {
  /** The budget, MB. */
  readonly limitMb: number

  /** @param verb what was tried, such as `make a world` */
  constructor(verb: string, limitMb: number) {
    super(
      `Failed to ${verb}: it would pass the budget of ${limitMb} MB (--max-memory, maxMemory). ` +
        `${budgetAdvice}`,
    )
    this.limitMb = limitMb
  }
}

/**
 * Makes the 400 of a parameter from its name, the received value and what is allowed: `it must be
 * an integer from 1 to 100`.
 */
export function invalidParameter(
  place: ParameterPlace,
  name: string,
  received: unknown,
  expected: string,
): ApiError {
  return apiError('parameter_invalid', { place, name, received: describe(received), expected })
}

/** The part of the request that holds a parameter. */
export type ParameterPlace = 'Path parameter' | 'Query parameter' | 'Body field'

/** The most characters of what was sent that a message repeats. */
const maxShownLength = 200

/**
 * A text as messages repeat it: whole, or its first characters with an ellipsis and how many it
 * has. Every message that shows what was sent shows it through this, so that nothing that is sent
 * makes a message long.
 */
export function cut(text: string, longest: number = maxShownLength): string {
  return text.length <= longest
    ? text
    : `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}… (${text.length} characters)`
}

/** A text as messages quote it. */
export function quote(text: string, longest: number = maxShownLength): string {
  if (text.length <= longest) return JSON.stringify(text)
  return (
    `${JSON.stringify(`${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…`)} ` +
    `(${text.length} characters)`
  )
}

/**
 * Shows a received value as a short line. Objects and arrays are only named, so that no input makes
 * the line long.
 */
export function describe(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'string') return quote(value, 80)
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'bigint') return `the bigint ${cut(String(value), 80)}`
  return typeof value === 'object' && value !== null ? 'an object' : cut(String(value), 80)
}
