// What the build puts in the place of these globals in all our code (scripts/build.ts), so that whoever uses one need not know of this.

/** Node's own globals where a test environment hides them, as Jest's jsdom does; otherwise those of the host. */
const visible = 'Response' in globalThis && 'TextDecoder' in globalThis ? globalThis : ofNode()

export const TextEncoder = globalThis.TextEncoder ?? visible.TextEncoder
export const TextDecoder = globalThis.TextDecoder ?? visible.TextDecoder
export const Request = globalThis.Request ?? visible.Request
export const Response = globalThis.Response ?? visible.Response
export const ReadableStream = globalThis.ReadableStream ?? visible.ReadableStream
export const structuredClone = globalThis.structuredClone ?? visible.structuredClone

/** The globals of the realm that Node began with; those of this one where there is no Node. */
function ofNode(): typeof globalThis {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: 'node:vm') => { runInThisContext: (code: string) => unknown } }
  }
  return (process?.getBuiltinModule?.('node:vm').runInThisContext('globalThis') ?? globalThis) as typeof globalThis
}
