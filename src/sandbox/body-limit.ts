import { findAcceptedKey, readApiKey } from '../api/admission.ts'
import type { Call, RouteMatcher } from '../api/route.ts'
import { splitUrl } from '../lib/url.ts'
import { ApiError } from '../errors.ts'
import type { World } from '../resources/world.ts'

/** The parts of a request that are available before its body is read. */
export type CallHead = Pick<Call, 'method' | 'url' | 'header'>

/**
 * Returns the maximum size of a request body, bytes. Returns 0 if the key or URL is invalid,
 * because the request will be rejected.
 */
export function getBodyLimit(
  call: CallHead,
  world: World,
  { match, bodyLimit }: Pick<RouteMatcher, 'match'> & { bodyLimit: number },
): number {
  const { path, rawQuery } = splitUrl(call.url)
  const { route, params } = match(call.method, path)
  if (route?.accessChecks === 'none') {
    try {
      route.admit?.(world, { params, rawQuery })
    } catch (error) {
      if (error instanceof ApiError) return 0
      throw error
    }
    return route.fileLimit ?? bodyLimit
  }
  const key = readApiKey(call)
  return key !== null && findAcceptedKey(world, key) !== undefined ? bodyLimit : 0
}
