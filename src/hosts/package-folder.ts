import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** Returns the folder of the installed package, or of the sources. */
export function findPackageFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('creator-api-sandbox/package.json'))
}
