// Replacements for these globals, which the build inserts in all our code (scripts/build.ts).
import { visible } from './visible.ts'

export const TextEncoder = globalThis.TextEncoder ?? visible.TextEncoder
export const TextDecoder = globalThis.TextDecoder ?? visible.TextDecoder
export const structuredClone = globalThis.structuredClone ?? visible.structuredClone
