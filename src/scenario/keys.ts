import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** The API key of a role: the same for the same seed, organisation and role. */
export function toApiKey(role: string, { seed, organisation }: { seed: number; organisation: string }): string {
  const digest = bytesToHex(sha256(utf8ToBytes(`api key\n${seed}\n${organisation}\n${role}`)))
  return `sk_sandbox_${role}_${digest.slice(0, 24)}`
}

/** The permissions that patterns grant, `*` standing for any text. */
export function grantedPermissions(patterns: readonly string[], permissions: readonly string[]): string[] {
  const tests = patterns.map((pattern) => new RegExp(`^${pattern.split('*').map(escape).join('.*')}$`))
  return permissions.filter((permission) => tests.some((test) => test.test(permission)))
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
