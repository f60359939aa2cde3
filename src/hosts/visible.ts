/**
 * Node's own globals where a test environment hides them, as Jest's jsdom does; otherwise those of
 * the host.
 */
export const visible =
  'Response' in globalThis && 'TextDecoder' in globalThis ? globalThis : ofNode()

/**
 * Classes of the web, each found when it is used: Node loads all of them at the first look at one,
 * which takes 35 ms.
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

/** The globals of the realm that Node began with; those of this one where there is no Node. */
function ofNode(): typeof globalThis {
  const { process } = globalThis as {
    process?: {
      getBuiltinModule?: (name: 'node:vm') => { runInThisContext: (code: string) => unknown }
    }
  }
  return (process?.getBuiltinModule?.('node:vm').runInThisContext('globalThis') ??
    globalThis) as typeof globalThis
}
