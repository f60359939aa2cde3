import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findPackageFolder } from '../hosts/package-folder.ts'

/** Paths of the package's JSON Schemas for YAML files. */
export type SchemaFile = 'docs/overlay.schema.json' | 'scenarios/scenario.schema.json'

/**
 * Returns the comment that tells editors which schema a YAML file has. If the file's project has
 * installed the package, the path points to its node_modules.
 */
export function toSchemaComment(file: string, schema: SchemaFile): string {
  const folder = dirname(resolve(file))
  const found = listParentFolders(folder)
    .map((parent) => join(parent, 'node_modules', 'creator-api-sandbox', schema))
    .find((path) => existsSync(path))
  const path = relative(folder, found ?? join(findPackageFolder(), schema))
  return (
    `# yaml-language-server: ` +
    `$schema=${isAbsolute(path) ? pathToFileURL(path).href : path.split(sep).join('/')}`
  )
}

function listParentFolders(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...listParentFolders(parent)]
}
