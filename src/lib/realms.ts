// Values of another realm fail `instanceof`. Jest and jsdom run tests in a realm of their own, while
// Node.js creates errors and buffers in the main one.

/** True for an error of any realm. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || getTag(value) === '[object Error]'
}

/** True for a date of any realm. */
export function isDate(value: unknown): value is Date {
  return getTag(value) === '[object Date]'
}

/** True for a regular expression of any realm. */
export function isRegExp(value: unknown): value is RegExp {
  return getTag(value) === '[object RegExp]'
}

/** True for bytes of any realm, a `Buffer` included. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value)
}

function getTag(value: unknown): string {
  return Object.prototype.toString.call(value)
}
