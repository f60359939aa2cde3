import { readFileSync } from 'node:fs'
import type { GeneratedFile } from './generate-media.ts'

/** Tells where a path of a generated file is on this machine. */
export function toFileUrl(path: string): URL {
  return new URL(`../${path}`, import.meta.url)
}

/** Tells whether the file on disk is missing or differs from what its generator produces. */
export function isStale(file: GeneratedFile): boolean {
  return readText(file.path) !== file.content
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(toFileUrl(path), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined
    }
    throw error
  }
}
