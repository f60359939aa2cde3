/** Compares a string with a secret in constant time, to prevent timing attacks. */
export function isSameSecret(sent: string, secret: string): boolean {
  let difference = sent.length ^ secret.length
  for (let index = 0; index < secret.length; index += 1)
    difference |= (sent.charCodeAt(index) | 0) ^ secret.charCodeAt(index)
  return difference === 0
}

/**
 * Decodes a header value as UTF-8. Expects one character per byte, as hosts pass headers. A value
 * that is not valid UTF-8 is returned unchanged.
 */
export function decodeUtf8(value: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/^[\0-\x7f]*$/.test(value) || /[^\0-\xff]/.test(value)) return value
  try {
    return decoder.decode(Uint8Array.from(value, (character) => character.charCodeAt(0)))
  } catch {
    return value // The client sent one byte per character (Latin-1).
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
