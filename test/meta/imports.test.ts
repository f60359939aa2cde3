import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** The imports that a role allows. A file has the first role whose pattern matches. */
interface Role {
  name: string
  /** Pattern for file paths relative to src. */
  files: RegExp
  /**
   * Allowed roles, and packages in quotes. Files of the same role may import each other unless
   * `isApart` is set.
   */
  imports?: readonly string[]
  /** Further roles and packages that are only allowed in `import type`. */
  types?: readonly string[]
  /** If true, files must not import files of the same role in other folders. */
  isApart?: true
}

/** Folders that do not depend on any resource. */
const layers = ['lib', 'data', 'world', 'api', 'errors']
/** Imports allowed in all files of a resource. */
const common = [...layers, 'tables', 'schemas', 'model', 'faker']

/** Allowed imports of each folder. */
const roles: readonly Role[] = [
  { name: 'errors', files: /^error(s|-catalogue)\.ts$/ },
  { name: 'lib', files: /^lib\//, imports: ["'zod'", "'leven'"] },
  { name: 'data', files: /^data\//, imports: ['errors', 'lib', "'zod'", "'@msw/data'"] },
  {
    name: 'world',
    files: /^world\//,
    imports: ['errors', 'lib', 'data', "'zod'", "'@noble/hashes'", "'pure-rand'"],
  },
  {
    name: 'api',
    files: /^api\//,
    imports: ['errors', 'lib', 'data', 'world', "'zod'", "'rou3'", "'@noble/hashes'"],
  },
  {
    name: 'faker',
    files: /^seed\/(faker|template)\.ts$/,
    imports: ['errors', 'lib', 'world', "'@faker-js/faker'"],
  },
  {
    name: 'model',
    files:
      /^resources\/(all-tables|define|define-factory|references|world)\.ts$|^seed\/(audience|busy-hours|edge-texts|given-names|local-time|persona|reassign-ids|seed-ids|seed-texts|seeding|shuffled-deck|text-picker|text-values|texts)\.ts$/,
    imports: [...layers, 'tables', 'faker', "'zod'"],
  },
  {
    name: 'lists',
    files:
      /^resources\/(all-clock-events|all-listeners|all-resources|all-routes|all-seeds|create-world|factories|make)\.ts$|^seed\/(personas|ready-rows|seed|seed-sources)\.ts$|^generated\/factories\.ts$/,
    imports: [...layers, 'model', 'faker', 'resource', 'parts', 'rules', 'generated'],
    types: ['scenario'],
  },
  { name: 'generated', files: /^generated\//, types: ['model', 'scenario', 'world'] },
  {
    name: 'tables',
    files: /^resources\/[\w-]+\/([\w-]+\/)?[\w-]+\.table\.ts$/,
    imports: [...layers, 'schemas', "'zod'"],
  },
  {
    name: 'schemas',
    files: /^resources\/[^/]+\/([\w-]+\.)?(schemas|sizes)\.ts$/,
    imports: [...layers, "'zod'"],
  },
  {
    name: 'resource',
    files: /^resources\/[^/]+\/resource\.ts$/,
    imports: [...common, 'rules', 'parts'],
    isApart: true,
  },
  {
    name: 'parts',
    files: /^resources\/[\w-]+\/([\w-]+\/)?([\w-]+\.)?(routes|seed|factories|actions|series)\.ts$/,
    imports: [...common, 'rules', 'effects', "'zod'", 'generated'],
    isApart: true,
  },
  {
    name: 'rules',
    files: /^resources\//,
    imports: [...common, "'@noble/hashes'", "'zod'", 'generated'],
  },
  { name: 'effects', files: /^effects\//, imports: [...common, 'rules', "'zod'"] },
  { name: 'audit', files: /^audit\//, imports: [...layers, "'zod'"], types: ['variation'] },
  { name: 'variation', files: /^variation\//, imports: [...layers, 'audit', "'zod'"] },
  {
    name: 'control',
    files: /^control\//,
    imports: [...layers, 'audit', 'model', 'lists', 'scenario', 'generated', "'zod'"],
  },
  {
    name: 'scenario',
    files: /^scenario\//,
    imports: [
      ...layers,
      'model',
      'faker',
      'lists',
      'control',
      'generated',
      "'zod'",
      "'yaml'",
      "'@noble/hashes'",
    ],
  },
  {
    name: 'openapi',
    files: /^openapi\//,
    imports: [...layers, 'model', 'lists', 'control', "'zod'"],
  },
  {
    name: 'shared',
    files: /^pages\/shared\//,
    imports: ['lib', "'preact'"],
    types: ['control'],
  },
  {
    name: 'console',
    files: /^pages\/console\//,
    imports: ['lib', 'shared', "'preact'"],
    types: ['control'],
  },
  {
    name: 'reference',
    files: /^pages\/reference\//,
    imports: ['shared', "'preact'", "'minisearch'"],
    types: [...layers, 'control', 'openapi'],
  },
  { name: 'pictures', files: /^pictures\//, imports: [...layers, 'generated'] },
  {
    name: 'routing',
    files: /^hosts\/server\/routing(-options)?\.ts$/,
    imports: [...layers, 'control', 'openapi', 'pictures', "'zod'"],
    types: ['sandbox'],
  },
  {
    name: 'fetch',
    files: /^hosts\/(fetch|globals|node-globals)\.ts$/,
    imports: [...layers, 'pictures', "'statuses'"],
  },
  {
    name: 'parser',
    files: /^hosts\/(scenario-parser|parse-worker)\.ts$/,
    imports: ['errors', 'host', 'scenario', "'node:'"],
  },
  {
    name: 'host',
    files: /^hosts\/[^/]+$/,
    imports: [...layers, 'routing', 'fetch', 'parser', 'pictures', 'sandbox'],
  },
  {
    name: 'overlay',
    files: /^overlay\//,
    imports: [...layers, 'model', 'lists', 'control', 'scenario', "'zod'"],
    types: ["'yaml'"],
  },
  { name: 'verify', files: /^verify\//, imports: [...layers, 'overlay', "'zod'"] },
  {
    name: 'sandbox',
    files: /^sandbox\//,
    imports: [
      ...layers,
      'faker',
      'audit',
      'overlay',
      'variation',
      'model',
      'lists',
      'control',
      'scenario',
      'generated',
      'fetch',
      'pictures',
      "'zod'",
    ],
  },
  {
    name: 'index',
    files: /^index\.ts$/,
    imports: ['audit', 'errors', 'sandbox'],
    types: ['control', ...layers, 'generated', 'lists', 'scenario', 'tables', 'variation', 'model'],
  },
  {
    name: 'client',
    files: /^client\//,
    imports: ['errors'],
    types: ['control', 'scenario', 'world'],
  },
  {
    name: 'server',
    files: /^hosts\/server\//,
    imports: [
      ...layers,
      'control',
      'sandbox',
      'routing',
      'host',
      'parser',
      'scenario',
      "'zod'",
      "'prom-client'",
      "'node:'",
    ],
  },
  {
    name: 'runners',
    files: /^runners\//,
    imports: ['errors', 'audit', 'client', 'server', "'vitest'", "'@playwright/test'", "'node:'"],
    types: ['sandbox'],
  },
  {
    name: 'cli',
    files: /^cli\//,
    imports: [
      ...layers,
      'audit',
      'control',
      'sandbox',
      'routing',
      'server',
      'host',
      'scenario',
      'generated',
      'lists',
      'openapi',
      'overlay',
      'variation',
      'verify',
      "'commander'",
      "'zod'",
      "'node:'",
      "'redis'",
    ],
  },
]

/** Packages that only a single file or a single kind of file may import. */
const sole: Readonly<Record<string, RegExp>> = {
  '@msw/data': /^data\/row-collection\.ts$/,
  leven: /^lib\/nearest-word\.ts$/,
  rou3: /^api\/route-matcher\.ts$/,
  'pure-rand': /^world\/random\.ts$/,
  msw: /^hosts\/msw\.ts$/,
  express: /^hosts\/express\.ts$/,
  statuses: /^hosts\/fetch\.ts$/,
  vitest: /^runners\/vitest(-setup)?\.ts$/,
  '@playwright/test': /^runners\/playwright\.ts$/,
  'prom-client': /^hosts\/server\/metrics\.ts$/,
  cors: /^hosts\/express\.ts$/,
  'node:':
    /^(cli\/|runners\/jest\.ts$|hosts\/server\/|hosts\/(compress|node|package-folder|page|reference|console|scenario-parser|parse-worker)\.ts$)/,
}
/** Imports of the hosts. Each host uses a different library. */
const hosts = ["'msw'", "'express'", "'cors'", "'statuses'", "'node:'"]

const source = new URL('../../src/', import.meta.url)
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .toSorted()
const readText = (file: string) => readFileSync(new URL(file, source), 'utf8')
const roleOf = (file: string) => roles.find((role) => role.files.test(file))

interface Import {
  name: string
  isType: boolean
}

it('imports only what the table allows', () => {
  expect(files.flatMap(findBreaches)).toEqual([])
})

it('has a role for each file', () => {
  expect(
    roles.filter((role) => !files.some((file) => roleOf(file) === role)).map(({ name }) => name),
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

/** Returns the imports of a file that its role does not allow. */
function findBreaches(file: string): string[] {
  const role = roleOf(file)
  if (role === undefined)
    return [
      `src/${file} has no role: put it into a folder that has one, or add one to the table here.`,
    ]
  return getImports(file)
    .filter((each) => !isAllowed(file, role, each))
    .map(
      ({ name, isType }) =>
        `src/${file} (${role.name}) imports ${isType ? 'the types of ' : ''}${name}: see the table in test/meta/imports.test.ts.`,
    )
}

function isAllowed(file: string, role: Role, { name, isType }: Import): boolean {
  const { imports = [], types = [] } = role
  const allowed = [...imports, ...(isType ? types : []), ...(role.name === 'host' ? hosts : [])]
  if (!files.includes(name)) {
    const home = Object.entries(sole).find(([key]) => isPackage(key, name))?.[1]
    const isAtHome = home === undefined || home.test(file)
    return (
      isAtHome &&
      allowed.some((entry) => entry.startsWith("'") && isPackage(entry.slice(1, -1), name))
    )
  }
  const other = roleOf(name)
  if (other === undefined) return false
  if (other !== role) {
    const isOwn = getFolder(file) === getFolder(name)
    // Resources must not use routes, seeds or actions of other resources.
    return (
      allowed.includes(other.name) && (other.isApart !== true || isOwn || role.name === 'lists')
    )
  }
  return role.isApart !== true || getFolder(file) === getFolder(name)
}

/** True if an allowed import (`zod`, `node:`) covers a package. */
function isPackage(allowance: string, name: string): boolean {
  return (
    name === allowance || name.startsWith(allowance.endsWith(':') ? allowance : `${allowance}/`)
  )
}

/** Returns the folder of a file. For a file of a resource, returns the folder of the resource. */
function getFolder(file: string): string {
  return /^resources\/[^/]+(?=\/)/.exec(file)?.[0] ?? file.replace(/\/[^/]*$/, '')
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
