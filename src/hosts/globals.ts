// What the build puts in the place of these globals in all our code (scripts/build.ts), so that
// whoever uses one need not know of this.
import { visible } from './visible.ts'

export const TextEncoder = globalThis.TextEncoder ?? visible.TextEncoder
export const TextDecoder = globalThis.TextDecoder ?? visible.TextDecoder
export const structuredClone = globalThis.structuredClone ?? visible.structuredClone
