/** Globals that we use. Jest's jsdom hides all of them, and `jest-fixed-jsdom` only the last one. */
const hiddenGlobals = ['Response', 'TextDecoder', 'DecompressionStream']

/**
 * The Node.js globals, even if the test environment hides them, as jsdom does in Jest. Outside
 * Node.js, the current globals.
 */
export const visible = hiddenGlobals.every((name) => name in globalThis)
  ? globalThis
  : findNodeGlobals()

/** True in Node.js, also in a test environment with a DOM. */
export const isNode =
  (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !==
  undefined

/**
 * Web classes. They are read on first use, because reading any of them makes Node.js load all of
 * them, which takes 35 ms.
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
  get DecompressionStream() {
    return globalThis.DecompressionStream ?? visible.DecompressionStream
  },
}

/** Returns the globals of the main Node.js realm, or the current globals outside Node.js. */
function findNodeGlobals(): typeof globalThis {
  const { process } = globalThis as {
    process?: {
      getBuiltinModule?: (name: 'node:vm') => { runInThisContext: (code: string) => unknown }
    }
  }
  return (process?.getBuiltinModule?.('node:vm').runInThisContext('globalThis') ??
    globalThis) as typeof globalThis
}
