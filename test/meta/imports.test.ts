import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** The folders of src in order. A file imports only from its own folder and from earlier ones. */
const folders = [
  'error-catalogue.ts',
  'errors.ts',
  'lib',
  'data',
  'world',
  'api',
  'seed',
  'resources',
  'audit',
  'variation',
  'actions',
  'scenario',
  'control',
  'openapi',
  'pictures',
  'overlay',
  'verify',
  'sandbox',
  'hosts',
  'client',
  'runners',
  'index.ts',
  'cli',
  // In the folder pages, shared comes first.
  'pages/shared',
  'pages/console',
  'pages/reference',
]

/**
 * Folders for browsers or for tests without the library, and the folders from which they import more
 * than types. The client loads the audit only when a method needs it.
 */
const small: Readonly<Record<string, readonly string[]>> = {
  client: ['errors.ts', 'generated', 'audit'],
  'pages/shared': ['lib'],
  'pages/console': ['lib', 'pages/shared'],
  'pages/reference': ['pages/shared'],
}

/** The files that may import a package. */
const packages: Readonly<Record<string, RegExp>> = {
  zod: /^(?!pages|client|runners|errors)/,
  '@noble/hashes': /^(world|api|resources|scenario)\//,
  '@faker-js/faker': /^seed\/(faker|template)\.ts$/,
  '@msw/data': /^data\/row-collection\.ts$/,
  leven: /^lib\/nearest-word\.ts$/,
  rou3: /^api\/route-matcher\.ts$/,
  'pure-rand': /^world\/random\.ts$/,
  yaml: /^(scenario|overlay)\//,
  statuses: /^sandbox\/fetch\.ts$/,
  msw: /^hosts\/msw\.ts$/,
  express: /^hosts\/express\.ts$/,
  cors: /^hosts\/express\.ts$/,
  'prom-client': /^hosts\/server\/metrics\.ts$/,
  vitest: /^runners\/vitest(-setup)?\.ts$/,
  '@playwright/test': /^runners\/playwright\.ts$/,
  commander: /^cli\//,
  redis: /^cli\//,
  preact: /^pages\//,
  minisearch: /^pages\/reference\//,
  'node:':
    /^(cli\/|runners\/jest\.ts$|hosts\/server\/|hosts\/(express|node|package-folder|page|scenario-parser|parse-worker)\.ts$)/,
}

/** Files of a resource that other resources must not import. */
const isPrivate = /^resources\/[\w-]+\/.*\b(resource|routes|seed|actions|series|factories)\.ts$/

const source = new URL('../../src/', import.meta.url)
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .toSorted()
const readText = (file: string) => readFileSync(new URL(file, source), 'utf8')
const folderOf = (file: string) => /^pages\/\w+/.exec(file)?.[0] ?? file.replace(/\/.*/, '')

interface Import {
  name: string
  isType: boolean
}

it('imports only from the same folder and from earlier ones', () => {
  expect(
    listImports(({ folder, other, isType }) => {
      // Generated data may be imported anywhere.
      if (other === folder || other === 'generated') return true
      if (folder === 'generated') return isType
      return folders.indexOf(other) < folders.indexOf(folder) && folders.includes(other)
    }),
  ).toEqual([])
})

it('keeps pages and the client small', () => {
  expect(
    listImports(
      ({ folder, other, isType }) =>
        isType || other === folder || small[folder]?.includes(other) !== false,
    ),
  ).toEqual([])
})

it('imports the routes, seeds and actions of a resource only in that resource and in lists', () => {
  expect(
    listImports(
      ({ file, name }) =>
        !isPrivate.test(name) ||
        getResource(file) === getResource(name) ||
        /^(resources\/[\w-]+\.ts|generated\/.*)$/.test(file),
    ),
  ).toEqual([])
})

it('imports each package only where the table allows it', () => {
  expect(
    files.flatMap((file) =>
      getImports(file)
        .filter(({ name }) => !files.includes(name))
        .filter(({ name, isType }) => {
          const home = Object.entries(packages).find(([key]) => isPackage(key, name))?.[1]
          return !(home?.test(file) === true || (isType && name === 'zod'))
        })
        .map(({ name }) => `${file} -> ${name}`),
    ),
  ).toEqual([])
})

it('has no cycles, including type imports', () => {
  const edges = new Map(
    files.map((file) => [
      file,
      getImports(file).flatMap(({ name }) => (files.includes(name) ? name : [])),
    ]),
  )
  expect(findCycle(edges)).toEqual([])
})

it('re-exports only from src/index.ts', () => {
  expect(
    files.filter(
      (file) => file !== 'index.ts' && /^export\s[^'"`;=]*\sfrom\s+['"]/m.test(readText(file)),
    ),
  ).toEqual([])
})

it('reads time and random numbers only from the world', () => {
  // Matches uses of `Date.now`, `Math.random` and similar functions that the linter misses.
  const hidden =
    /\bnew Date(?:\(\)|(?!\())|(?<!new )(?<![\w.])Date\(|globalThis\.(?:Date|Math|crypto|performance)/
  const exempt = /^(?:cli|pages)\/|^world\/(?:clock|random)\.ts$/
  expect(files.filter((file) => !exempt.test(file) && hidden.test(readText(file)))).toEqual([])
})

/** Lists the imports between files of src that a rule does not allow. */
function listImports(
  isAllowed: (found: Import & { file: string; folder: string; other: string }) => boolean,
): string[] {
  return files.flatMap((file) =>
    getImports(file)
      .filter(({ name }) => files.includes(name))
      .filter(
        (found) =>
          !isAllowed({ ...found, file, folder: folderOf(file), other: folderOf(found.name) }),
      )
      .map(({ name }) => `${file} -> ${name}`),
  )
}

/** True if an allowed import (`zod`, `node:`) covers a package. */
function isPackage(allowance: string, name: string): boolean {
  return (
    name === allowance || name.startsWith(allowance.endsWith(':') ? allowance : `${allowance}/`)
  )
}

/** Returns the folder of the resource to which a file belongs. */
function getResource(file: string): string | undefined {
  return /^resources\/[^/]+(?=\/)/.exec(file)?.[0]
}

function getImports(file: string): Import[] {
  const text = readText(file)
  const statements = text.matchAll(
    /^(?:import|export)\s+(type\s)?(?:[^'"`;=]*?\sfrom\s+)?['"]([^'"]+)['"]/gm,
  )
  const calls = text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)
  const found = [
    ...[...statements].map(([, type, name = '']) => ({ name, isType: type !== undefined })),
    ...[...calls].map(([, name = '']) => ({ name, isType: false })),
  ]
  return found.map(({ name, isType }) => ({
    name: name.startsWith('.')
      ? new URL(name, new URL(file, 'src://src/')).href.replace('src://src/', '')
      : name,
    isType,
  }))
}

/** Returns the files of an import cycle in order, or an empty list if there is none. */
function findCycle(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const walk = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return []
    for (const next of edges.get(file) ?? []) {
      const circle = walk(next, [...path, file])
      if (circle.length > 0) return circle
    }
    done.add(file)
    return []
  }
  for (const file of edges.keys()) {
    const circle = walk(file, [])
    if (circle.length > 0) return circle
  }
  return []
}
