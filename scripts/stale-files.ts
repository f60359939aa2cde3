import { readFileSync } from 'node:fs'
import type { GeneratedFile } from './generate-media.ts'

/** Returns the path of a generated file on this machine. */
export function toFileUrl(path: string): URL {
  return new URL(`../${path}`, import.meta.url)
}

/** True if a file is missing on disk, or differs from its generated content. */
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
