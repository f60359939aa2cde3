import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** Derives the API key of a role. The same seed, organisation and role give the same key. */
export function toApiKey(role: string, { seed, organisation }: { seed: number; organisation: string }): string {
  const digest = bytesToHex(sha256(utf8ToBytes(`api key\n${seed}\n${organisation}\n${role}`)))
  return `sk_sandbox_${role}_${digest.slice(0, 24)}`
}

/** Lists the permissions that patterns grant. `*` stands for any text: `api_posts_*` grants them all, `!api_posts_delete` denies one. */
export function grantedPermissions(patterns: readonly string[], permissions: readonly string[]): string[] {
  const granting = patterns.filter((pattern) => !pattern.startsWith('!'))
  const denying = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1))
  const isGranted = toTest(granting)
  const isDenied = toTest(denying)
  return permissions.filter((permission) => isGranted(permission) && !isDenied(permission))
}

function toTest(patterns: readonly string[]): (permission: string) => boolean {
  const splitPatterns = patterns.map((pattern) => pattern.split('*'))
  return (permission) => splitPatterns.some((pieces) => matches(permission, pieces))
}

/**
 * Whether a text consists of these pieces in order, with any text between them. A regular expression would take minutes for a pattern of
 * many stars.
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
