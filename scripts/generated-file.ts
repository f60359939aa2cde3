import { existsSync, readFileSync } from 'node:fs'

/**
 * A file that `npm run generate` writes. `path` is relative to the repository root and uses forward
 * slashes.
 */
export interface GeneratedFile {
  path: string
  content: string
}

/**
 * Formats a JSON file. Lines are not indented, because indentation would double the size of the
 * schemas in the package.
 */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replaceAll(/\n +/g, '\n')}\n`
}

/** Returns the path of a generated file on this machine. */
export function toFileUrl(path: string): URL {
  return new URL(`../${path}`, import.meta.url)
}

/** True if a file is missing on disk, or differs from its generated content. */
export function isStale({ path, content }: GeneratedFile): boolean {
  const url = toFileUrl(path)
  return !existsSync(url) || readFileSync(url, 'utf8') !== content
}
