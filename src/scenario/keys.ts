import { nearestOf } from '../lib/nearest.ts'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/** The source of the API keys: the name of the role, randomness, or a list of keys by role. */
export type KeyOrigin = 'seeded' | 'random' | Readonly<Record<string, string>>

/** Gives the roles of a sandbox their API keys. */
export interface KeyMaker {
  /** True if the keys are not the default ones. */
  isOwn: boolean
  /** Equal for equal keys. Undefined if no other sandbox has the same keys. */
  identity: string | undefined
  /** The key of a role. */
  of: (role: string, from: KeyRoots) => string
}

interface KeyRoots {
  seed: number
  organisation: string
}

/**
 * Creates the source of keys. With `random` they are derived from a new secret. With a list of
 * keys, keys of other roles are derived from that list.
 */
export function createKeyMaker(origin: KeyOrigin): KeyMaker {
  if (origin === 'seeded') return { isOwn: false, identity: 'seeded', of: toApiKey }
  const named: ReadonlyMap<string, string> = new Map(
    origin === 'random' ? [] : Object.entries(origin).toSorted(),
  )
  const secret = origin === 'random' ? bytesToHex(randomBytes(16)) : JSON.stringify([...named])
  const derive = (role: string, { seed, organisation }: KeyRoots) =>
    digestKey(role, [`${secret}\n${seed}`, organisation])
  return {
    isOwn: true,
    identity: origin === 'random' ? undefined : secret,
    of: (role, from) => named.get(role) ?? derive(role, from),
  }
}

/**
 * The default API key of a role. It is the same in every scenario with that role, so that a client
 * can switch scenarios.
 */
export function toApiKey(role: string): string {
  return digestKey(role, [])
}

function digestKey(role: string, roots: readonly string[]): string {
  const digest = bytesToHex(sha256(utf8ToBytes(['api key', ...roots, role].join('\n'))))
  return `sk_sandbox_${role}_${digest.slice(0, 24)}`
}

/**
 * Lists the permissions that patterns grant. `*` stands for any text: `api_posts_*` grants them
 * all, `!api_posts_delete` denies one.
 */
export function grantedPermissions(
  patterns: readonly string[],
  permissions: readonly string[],
): string[] {
  const granting = patterns.filter((pattern) => !pattern.startsWith('!'))
  const denying = patterns
    .filter((pattern) => pattern.startsWith('!'))
    .map((pattern) => pattern.slice(1))
  const isGranted = toTest(granting)
  const isDenied = toTest(denying)
  return permissions.filter((permission) => isGranted(permission) && !isDenied(permission))
}

/** Lists the patterns of permissions that fit none, each with the nearest permission. */
export function unknownPermissions(
  patterns: readonly string[],
  permissions: readonly string[],
): { pattern: string; nearest: string | undefined }[] {
  return patterns
    .map((pattern) => pattern.replace(/^!/, ''))
    .filter((pattern) => !permissions.some(toTest([pattern])))
    .map((pattern) => ({ pattern, nearest: nearestOf(permissions, pattern) }))
}

function toTest(patterns: readonly string[]): (permission: string) => boolean {
  const splitPatterns = patterns.map((pattern) => pattern.split('*'))
  return (permission) => splitPatterns.some((pieces) => matches(permission, pieces))
}

/**
 * Returns true if a text consists of these pieces in order, with any text between them. A regular
 * expression would take minutes for a pattern of many stars.
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
