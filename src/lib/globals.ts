// The build (scripts/build.ts) replaces these globals in the package's code with this file's
// exports.
import { visible } from './node-globals.ts'

export const TextEncoder = globalThis.TextEncoder ?? visible.TextEncoder
export const TextDecoder = globalThis.TextDecoder ?? visible.TextDecoder
export const structuredClone = globalThis.structuredClone ?? visible.structuredClone
