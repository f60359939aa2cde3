/**
 * The globals of Node if the test environment hides them, as jsdom in Jest does. Otherwise the
 * current globals.
 */
export const visible =
  'Response' in globalThis && 'TextDecoder' in globalThis ? globalThis : ofNode()

/** Web classes, read on first use. Node loads all of them when one is read, which takes 35 ms. */
export const web = {
  get Request() {
    return globalThis.Request ?? visible.Request
  },
  get Response() {
    return globalThis.Response ?? visible.Response
  },
  get ReadableStream() {
    return globalThis.ReadableStream ?? visible.ReadableStream
  },
}

/** The globals of Node's main realm, or the current ones outside Node. */
function ofNode(): typeof globalThis {
  const { process } = globalThis as {
    process?: {
      getBuiltinModule?: (name: 'node:vm') => { runInThisContext: (code: string) => unknown }
    }
  }
  return (process?.getBuiltinModule?.('node:vm').runInThisContext('globalThis') ??
    globalThis) as typeof globalThis
}
