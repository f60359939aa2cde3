import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Metafile } from 'esbuild'
import { build as buildPage } from 'vite'
import { bundleLibrary, toEsbuildEntryPoints } from './bundle.ts'
import { listReachableFiles } from './chunks.ts'
import { buildCommonJs } from './commonjs.ts'
import { writeDeclarations } from './declarations.ts'
import { entries } from './entry-points.ts'

/** Packages that are bundled into the pages. */
const pageLibraries = ['minisearch', 'preact']

/** Maximum compressed size of a page and all its files, bytes, by folder in `dist`. */
const pageBytes = { console: 75_000, reference: 50_000 }

/**
 * Maximum size of an entry point's static imports, bytes. An entry point can override it with
 * `maxBytes`.
 */
const eagerBytes = 1_266_000

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)
rmSync('dist', { recursive: true, force: true })

const { metafile, options } = await bundleLibrary()
const commonJsPoints = toEsbuildEntryPoints(entries.filter(({ isEsmOnly }) => isEsmOnly !== true))
const commonJs = await buildCommonJs({ ...options, entryPoints: commonJsPoints }, metafile)
writeInAscii('dist')
chmodSync('dist/cli/bin.js', 0o755)
for (const { name, isEsmOnly, isPortable, maxBytes } of entries) {
  if (isPortable) assertPortable(metafile, `dist/${name}.js`)
  if (!isPortable && maxBytes === undefined) continue
  assertSmall(metafile, `dist/${name}.js`, maxBytes)
  if (isEsmOnly !== true) assertSmall(commonJs, `dist/cjs/${name}.cjs`, maxBytes)
}
for (const [name, most] of Object.entries(pageBytes)) {
  await buildPage({ configFile: 'vite.config.ts', mode: name })
  assertLight(name, most)
}
const others = pageLibraries.map((name) => join('node_modules', name))
writeFileSync(
  'dist/THIRD-PARTY-LICENSES.txt',
  formatLicences([
    ...new Set([...listBundledPackages(metafile), ...listBundledPackages(commonJs), ...others]),
  ]),
)

writeDeclarations()

/**
 * Escapes all non-ASCII characters in the code of a folder, because esbuild does not escape them in
 * regular expressions. If a file contains a character outside Latin-1, V8 needs twice the memory
 * and compiles the file more slowly.
 */
function writeInAscii(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((each) =>
    /\.c?js$/.test(each),
  )) {
    const file = join(folder, name)
    const code = readFileSync(file, 'utf8')
    const ascii = code.replace(
      /[^\0-\x7f]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    if (ascii !== code) writeFileSync(file, ascii)
  }
}

/** @throws if an entry point imports a built-in module of Node.js, statically or lazily. */
function assertPortable(metafile: Metafile, entry: string): void {
  const builtin = [...listReachableFiles(metafile, entry, () => true)].find(isBuiltin)
  if (builtin !== undefined)
    throw new Error(
      `Failed to build: ${entry} loads ${builtin}, and browsers have none. Move that import behind src/cli or the Express adapter.`,
    )
}

/**
 * @throws if the static imports of an entry point are too large. Test runners load them in every
 * test file.
 */
function assertSmall(metafile: Metafile, entry: string, most = eagerBytes): void {
  const bytes = [...listReachableFiles(metafile, entry)].reduce(
    (sum, path) => sum + (metafile.outputs[path]?.bytes ?? 0),
    0,
  )
  if (bytes > most)
    throw new Error(
      `Failed to build: ${entry} loads ${bytes} bytes at once, more than ${most}. Load optional code lazily, and use ` +
        'zod only as z.name, otherwise nothing of it is pruned.',
    )
}

/** @throws if a page is too large. */
function assertLight(name: string, most: number): void {
  const folder = join('dist', name)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.includes('.'),
  )
  const bytes = files.reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length,
    0,
  )
  if (bytes > most)
    throw new Error(
      `Failed to build: dist/${name} is ${bytes} bytes compressed, more than ${most}.`,
    )
}

/** Returns the folders of packages that are bundled into `dist`. */
function listBundledPackages({ inputs }: Metafile): Set<string> {
  return new Set(
    Object.keys(inputs).flatMap(
      (file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [],
    ),
  )
}

/**
 * Lists the bundled packages with their versions and licences. Their licences must be included, and
 * audit tools cannot detect bundled packages.
 */
function formatLicences(folders: readonly string[]): string {
  const packages = folders
    .map((folder) => {
      const { name, version, license } = JSON.parse(
        readFileSync(join(folder, 'package.json'), 'utf8'),
      ) as Record<string, string>
      return { name: `${name} ${version}`, license, text: readLicence(folder) }
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const list = packages.map(({ name, license }) => `${name} (${license})`).join('\n')
  const texts = packages.map(({ name, text }) => `${name}\n\n${text}`)
  return [`Built into this package, with their versions:\n\n${list}`, ...texts].join(
    `\n\n${'-'.repeat(80)}\n\n`,
  )
}

function readLicence(folder: string): string {
  const files = readdirSync(folder).filter((entry) => /^(?:licen[cs]e|notice)/i.test(entry))
  if (files.length === 0)
    throw new Error(
      `Failed to build: ${folder} has no licence file to pass on. Leave the package out of the bundle.`,
    )
  return files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n')
}
