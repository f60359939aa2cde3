/**
 * The globals of Node.js if the test environment hides them, as jsdom does in Jest. Otherwise the
 * current globals.
 */
export const visible =
  'Response' in globalThis && 'TextDecoder' in globalThis ? globalThis : findNodeGlobals()

/**
 * Web classes, which are only read on first use. If one is read, Node.js loads all of them, which
 * takes 35 ms.
 */
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

/** Returns the globals of the main realm of Node.js. Outside Node.js, returns the current ones. */
function findNodeGlobals(): typeof globalThis {
  const { process } = globalThis as {
    process?: {
      getBuiltinModule?: (name: 'node:vm') => { runInThisContext: (code: string) => unknown }
    }
  }
  return (process?.getBuiltinModule?.('node:vm').runInThisContext('globalThis') ??
    globalThis) as typeof globalThis
}
