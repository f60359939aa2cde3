import { findNearestWord } from '../lib/nearest-word.ts'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * The way in which API keys are created: derived from the roles, random, or given for each role.
 */
export type KeyOrigin = 'seeded' | 'random' | Readonly<Record<string, string>>

/** Creates the API keys for the roles of a sandbox. */
export interface KeySource {
  /** True if the keys differ from the default keys. */
  isOwn: boolean
  /** Id of the set of keys. Undefined for random keys, which are unique. */
  identity: string | undefined
  /** Returns the key of a role. */
  getKey: (role: string, from: KeyRoots) => string
}

interface KeyRoots {
  seed: number
  organisation: string
}

/**
 * Creates a source of keys. With `random`, keys are derived from a new secret. If keys are given for
 * some roles, the keys of other roles are derived from them.
 */
export function createKeySource(origin: KeyOrigin): KeySource {
  if (origin === 'seeded') return { isOwn: false, identity: 'seeded', getKey: getDefaultApiKey }
  const named: ReadonlyMap<string, string> = new Map(
    origin === 'random' ? [] : Object.entries(origin).toSorted(),
  )
  const secret = origin === 'random' ? bytesToHex(randomBytes(16)) : JSON.stringify([...named])
  const derive = (role: string, { seed, organisation }: KeyRoots) =>
    deriveKey(role, [`${secret}\n${seed}`, organisation])
  return {
    isOwn: true,
    identity: origin === 'random' ? undefined : secret,
    getKey: (role, from) => named.get(role) ?? derive(role, from),
  }
}

/**
 * Returns the default API key of a role. It is the same in all scenarios, so that a client can
 * switch scenarios.
 */
export function getDefaultApiKey(role: string): string {
  return deriveKey(role, [])
}

function deriveKey(role: string, roots: readonly string[]): string {
  const digest = bytesToHex(sha256(utf8ToBytes(['api key', ...roots, role].join('\n'))))
  return `sk_sandbox_${role}_${digest.slice(0, 24)}`
}

/**
 * Lists the permissions that patterns grant. `*` matches any characters. For example, `api_posts_*`
 * grants all permissions for posts, and `!api_posts_delete` denies one.
 */
export function listGrantedPermissions(
  patterns: readonly string[],
  permissions: readonly string[],
): string[] {
  const granting = patterns.filter((pattern) => !pattern.startsWith('!'))
  const denying = patterns
    .filter((pattern) => pattern.startsWith('!'))
    .map((pattern) => pattern.slice(1))
  const isGranted = createPermissionTest(granting)
  const isDenied = createPermissionTest(denying)
  return permissions.filter((permission) => isGranted(permission) && !isDenied(permission))
}

/** Lists the patterns that match no permission. Suggests the most similar permission for each. */
export function findUnknownPermissions(
  patterns: readonly string[],
  permissions: readonly string[],
): { pattern: string; nearest: string | undefined }[] {
  return patterns
    .map((pattern) => pattern.replace(/^!/, ''))
    .filter((pattern) => !permissions.some(createPermissionTest([pattern])))
    .map((pattern) => ({ pattern, nearest: findNearestWord(permissions, pattern) }))
}

function createPermissionTest(patterns: readonly string[]): (permission: string) => boolean {
  const splitPatterns = patterns.map((pattern) => pattern.split('*'))
  return (permission) => splitPatterns.some((pieces) => matches(permission, pieces))
}

/**
 * True if a string consists of the given parts in this order, with any characters between them.
 * Does not use a regular expression, which could take minutes for a pattern with many stars.
 */
function matches(text: string, pieces: readonly string[]): boolean {
  const [first = ''] = pieces
  const last = pieces.at(-1) ?? ''
  if (pieces.length < 2) return text === first
  if (!text.startsWith(first)) return false
  let from = first.length
  for (const piece of pieces.slice(1, -1)) {
    const index = text.indexOf(piece, from)
    if (index === -1) return false
    from = index + piece.length
  }
  return text.length - last.length >= from && text.endsWith(last)
}
