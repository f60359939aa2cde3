// The build replaces these globals in all our code with this file's exports (scripts/build.ts).
import { visible } from './node-globals.ts'

export const TextEncoder = globalThis.TextEncoder ?? visible.TextEncoder
export const TextDecoder = globalThis.TextDecoder ?? visible.TextDecoder
export const structuredClone = globalThis.structuredClone ?? visible.structuredClone
