import type { ErrorCode } from '../error-catalogue.ts'
import { createApiError } from '../errors.ts'
import type { Route } from '../api/route.ts'

/** True if a route returns 424 for an expired session, as all relay routes of an account do. */
export function requiresSession({ path, kind }: Pick<Route, 'path' | 'kind'>): boolean {
  return kind === 'relay' && path.includes(':account_id')
}

/**
 * Returns the errors of a route: first its handler's errors, then those of the request pipeline,
 * then those that only servers return.
 */
export function listErrorCodes(route: Route): readonly ErrorCode[] {
  return [...new Set([...(route.errors ?? []), ...listPipelineErrors(route), ...serverErrors])]
}

/** Creates an example body for an error. */
export function createErrorExample(code: ErrorCode): { error: string } {
  return { error: createApiError(code, { ...commonValues, ...valuesByCode[code] }).message }
}

/** Errors that servers return before the request pipeline. */
const serverErrors: readonly ErrorCode[] = ['host_foreign', 'origin_foreign', 'memory_full']

function listPipelineErrors(route: Route): ErrorCode[] {
  const { accessChecks, path, body, data, fileLimit } = route
  if (accessChecks === 'none') {
    if (fileLimit !== undefined) return ['body_too_large', 'parameter_invalid', 'internal_error']
    const ofFile: ErrorCode[] = data === null ? ['range_unsatisfiable', 'upstream_refused'] : []
    return [...ofFile, 'internal_error']
  }
  return [
    'key_missing',
    'key_unknown',
    'minute_limit',
    'day_limit',
    'subscription_inactive',
    'credits_exhausted',
    'route_unknown',
    'permission_missing',
    ...(path.includes(':account_id') ? (['account_unknown'] as const) : []),
    ...(body === null ? [] : (['body_too_large', 'body_not_json', 'body_encoded'] as const)),
    ...(acceptsInput(route) ? (['parameter_invalid'] as const) : []),
    ...(requiresSession(route) ? (['session_lapsed'] as const) : []),
    'internal_error',
  ]
}

function acceptsInput({ path, params, query, body }: Route): boolean {
  return (
    path.includes(':') ||
    body !== null ||
    [params, query].some(
      (schema) => 'shape' in schema && Object.keys(schema.shape as object).length > 0,
    )
  )
}

/** Values for the placeholders in error messages. */
const commonValues: Readonly<Record<string, string | number>> = {
  account_id: 101,
  chat_id: 7001,
  clock: '',
  fan_id: 2001,
  item_id: 5501,
  label_id: 31,
  link_id: 801,
  list_id: 41,
  media_id: 3001,
  message_id: 9001,
  method: 'GET',
  path: '/v1/101/post',
  permission: 'api_posts_list',
  post_id: 4001,
  promo_id: 61,
  role: 'analyst',
  share_id: '5f0c6f0e-6d1f-4f3a-9c57-0d6f6a0f3d11',
  size: 48_213,
  status: 502,
  story_id: 51,
  tag_id: 12,
  upload_id: 'u-1',
  user: 2001,
  user_id: 2001,
  verb: 'changed',
}

const valuesByCode: Partial<Record<ErrorCode, Readonly<Record<string, string | number>>>> = {
  host_foreign: { host: 'sandbox.example' },
  origin_foreign: { origin: 'https://app.example' },
  minute_limit: { limit: 1000 },
  day_limit: { limit: 50_000 },
  body_too_large: { limit: 1_048_576 },
  body_not_json: { problem: 'the Content-Type is text/plain' },
  body_encoded: { encoding: 'gzip' },
  parameter_invalid: {
    place: 'Query parameter',
    name: 'limit',
    received: '"many"',
    expected: 'it must be an integer from 1 to 100',
  },
  window_reversed: {
    from_name: 'from',
    from: '2026-09-02',
    to_name: 'to',
    to: '2026-09-01',
  },
  media_hash_unknown: { hash: 'd41d8cd98f00b204e9800998ecf8427e' },
  vault_list_protected: { name: 'Posts', verb: 'renamed' },
  user_list_protected: { list_id: 'fans' },
  mass_message_final: { state: 'sent', verb: 'edited' },
  message_of_fan: { verb: 'unsent' },
  media_load_limit: { limit: 300 },
  range_unsatisfiable: { range: 'bytes=99999-' },
  memory_full: { limit: 1024, advice: 'Delete records, or set a larger limit.' },
  worlds_full: { limit: 100 },
  overlaid: { text: 'The text of an overlay.' },
}
