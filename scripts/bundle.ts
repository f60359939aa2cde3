import { readFileSync } from 'node:fs'
import { build } from 'esbuild'
import type { BuildOptions, Metafile } from 'esbuild'
import { findLazyModules, importLibraryFirst, omitPackages } from './chunks.ts'
import { entries } from './entry-points.ts'
import type { Entry } from './entry-points.ts'

/** The entry points of the command, by their names in `dist`. */
const command = {
  'cli/bin': 'src/cli/bin.ts',
  'server/parse-worker': 'src/hosts/parse-worker.ts',
}

/**
 * Libraries that are inlined and tree-shaken although they are dependencies. zod remains a
 * dependency, because our declarations refer to its types (docs/decisions/build.md).
 */
const inlined = ['zod']

/**
 * Imports that are omitted from @msw/data, by package. @msw/data uses them for writes, sorting and
 * relations, but our tables replace these functions (see src/data/row-collection.ts). Omitting the
 * imports saves each test file 45 kB of code to compile.
 */
const unused = { mutative: ['apply', 'create'], 'es-toolkit/compat': ['get', 'set', 'unset'] }

/** A bundle, and the options for another one of the same modules. */
export interface Bundle {
  metafile: Metafile
  options: BuildOptions & { external: string[] }
}

/** Bundles the library and the command into `dist` as ESM. */
export async function bundleLibrary(): Promise<Bundle> {
  const entryPoints = { ...toEsbuildEntryPoints(entries), ...command }
  const needing = new Set(
    entries.filter(({ needsSandbox }) => needsSandbox).map(({ source }) => source),
  )
  const shared = createOptions()
  const withPlugins = (importers: ReadonlySet<string>) => ({
    ...shared,
    plugins: [omitPackages(unused), importLibraryFirst(importers, load)],
  })
  const followers = await findLazyModules(
    { ...withPlugins(needing), entryPoints, outdir: 'dist' },
    Object.values(entryPoints),
  )
  const options = withPlugins(new Set([...needing, ...followers]))
  const { metafile } = await build({ ...options, entryPoints, outdir: 'dist', metafile: true })
  return { metafile, options }
}

/** Converts entry points to esbuild's format. */
export function toEsbuildEntryPoints(list: readonly Entry[]): Record<string, string> {
  return Object.fromEntries(list.map(({ name, source }) => [name, source]))
}

function createOptions(): Bundle['options'] {
  const { dependencies, peerDependencies } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  ) as Record<string, Record<string, string>>
  const external = Object.keys({ ...dependencies, ...peerDependencies }).filter(
    (name) => !inlined.includes(name),
  )
  return {
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    external: ['node:*', ...external.flatMap((name) => [name, `${name}/*`])],
    // Replaces globals that a test environment may hide, both in our code and in inlined libraries.
    inject: ['src/lib/globals.ts'],
    chunkNames: 'chunks/[name]-[hash]',
    legalComments: 'none',
    // Smaller code compiles faster, which saves 15 ms per import. Names are kept for stack traces.
    minifyWhitespace: true,
    lineLimit: 160,
    minifySyntax: true,
    logLevel: 'warning',
  }
}

/**
 * Wraps zod in a module of our own, so that esbuild knows which parts of zod are used. esbuild
 * prunes an imported namespace, but not one that is re-exported as `z`.
 */
function load(path: string): string {
  return readFileSync(path, 'utf8').replace("import { z } from 'zod'", "import * as z from 'zod'")
}
