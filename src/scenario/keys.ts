import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** The API key of a role: the same for the same seed, organisation and role. */
export function toApiKey(role: string, { seed, organisation }: { seed: number; organisation: string }): string {
  const digest = bytesToHex(sha256(utf8ToBytes(`api key\n${seed}\n${organisation}\n${role}`)))
  return `sk_sandbox_${role}_${digest.slice(0, 24)}`
}

/** The permissions that patterns grant, `*` standing for any text; one that begins with `!` takes what it names from those. */
export function grantedPermissions(patterns: readonly string[], permissions: readonly string[]): string[] {
  const [granted, taken] = [patterns.filter((pattern) => !pattern.startsWith('!')), patterns.filter((pattern) => pattern.startsWith('!'))]
  const [isGranted, isTaken] = [toTest(granted), toTest(taken.map((pattern) => pattern.slice(1)))]
  return permissions.filter((permission) => isGranted(permission) && !isTaken(permission))
}

function toTest(patterns: readonly string[]): (permission: string) => boolean {
  const pieces = patterns.map((pattern) => pattern.split('*'))
  return (permission) => pieces.some((each) => matches(permission, each))
}

/** Whether a text is made of these pieces in order, with any text between them. No regular expression: a pattern of many stars would keep it busy for minutes. */
function matches(text: string, [first = '', ...others]: readonly string[]): boolean {
  const last = others.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let from = first.length
  for (const piece of others) {
    const place = text.indexOf(piece, from)
    if (place === -1) return false
    from = place + piece.length
  }
  return text.length - last.length >= from && text.endsWith(last)
}
