import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** What the files of one role may import. The first role whose pattern fits a file is its own. */
interface Role {
  name: string
  /** The files of it, below src. */
  files: RegExp
  /** Roles, or packages in quotes. Files of one role may import each other unless `isApart`. */
  imports?: readonly string[]
  /** The same, but only as `import type`. */
  types?: readonly string[]
  /** Its files import none of their role from another folder. */
  isApart?: true
}

/**
 * What every file of a resource may use: the engine, the shapes of the wire, tables of any
 * resource, and the world, which is a type.
 */
const common = ['engine', 'errors', 'tables', 'schemas', 'world']

/** Who may import whom. */
const roles: readonly Role[] = [
  { name: 'errors', files: /^errors\.ts$/ },
  {
    name: 'engine',
    files: /^engine\//,
    imports: [
      'errors',
      "'zod'",
      "'@msw/data'",
      "'@noble/hashes'",
      "'pure-rand'",
      "'rou3'",
      "'leven'",
    ],
  },
  { name: 'generated', files: /^generated\/(?!factories\.ts)/, types: ['world', 'scenario'] },
  {
    name: 'tables',
    files: /^resources\/[^/]+\/[\w-]+\.table\.ts$/,
    imports: ['engine', 'schemas', "'zod'"],
  },
  {
    name: 'schemas',
    files: /^resources\/[^/]+\/([\w-]+\.)?(schemas|sizes)\.ts$/,
    imports: ['engine', "'zod'"],
  },
  {
    name: 'resource',
    files: /^resources\/[^/]+\/resource\.ts$/,
    imports: [...common, 'rules', 'parts'],
    isApart: true,
  },
  {
    name: 'parts',
    files: /^resources\/[^/]+\/([\w-]+\.)?(routes|seed|actions|series)\.ts$/,
    imports: [...common, 'rules', 'effects', "'zod'", 'generated'],
    isApart: true,
  },
  {
    name: 'factories',
    files: /^resources\/[^/]+\/factories\.ts$/,
    imports: [...common, 'rules', 'generated'],
    isApart: true,
  },
  {
    name: 'rules',
    files: /^resources\//,
    imports: [...common, "'@noble/hashes'", 'generated'],
    types: ["'zod'"],
  },
  { name: 'effects', files: /^effects\//, imports: [...common, 'rules', "'zod'"] },
  {
    name: 'world',
    files:
      /^world\/(audience|define|edge-texts|given-names|making|moment|pack|persona|phrases|references|seed-ids|seed-texts|seeding|tables|texts|world)\.ts$/,
    imports: ['engine', 'errors', 'tables', "'zod'"],
  },
  {
    name: 'lists',
    files:
      /^world\/(create|factories|make|personas|resources|routes|seed|sowing)\.ts$|^generated\/factories\.ts$/,
    imports: ['engine', 'errors', 'resource', 'factories', 'world', 'generated'],
    types: ['scenario'],
  },
  { name: 'audit', files: /^audit\//, imports: ['engine', 'errors', "'zod'"] },
  { name: 'variation', files: /^variation\//, imports: ['engine', 'errors', "'zod'"] },
  {
    name: 'control',
    files: /^control\//,
    imports: ['engine', 'errors', 'audit', 'world', 'lists', 'scenario', 'generated', "'zod'"],
  },
  {
    name: 'scenario',
    files: /^scenario\//,
    imports: [
      'engine',
      'errors',
      'world',
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
    imports: ['engine', 'errors', 'world', 'lists', 'control', "'zod'"],
  },
  { name: 'console', files: /^console\//, imports: ["'preact'"], types: ['control'] },
  {
    name: 'documents',
    files: /^documents\//,
    imports: ['console', "'preact'"],
    types: ['engine', 'control', 'openapi'],
  },
  { name: 'pictures', files: /^pictures\//, imports: ['engine', 'errors', 'generated'] },
  {
    name: 'site',
    files: /^site\//,
    imports: ['engine', 'errors', 'control', 'openapi', 'pictures', "'zod'"],
    types: ['sandbox'],
  },
  {
    name: 'fetch',
    files: /^adapters\/(fetch|globals|visible)\.ts$/,
    imports: ['engine', 'errors', 'pictures', "'statuses'"],
  },
  {
    name: 'host',
    files: /^adapters\//,
    imports: ['engine', 'errors', 'site', 'fetch', 'pictures', 'sandbox'],
  },
  {
    name: 'overlay',
    files: /^overlay\//,
    imports: ['engine', 'errors', 'world', 'lists', 'control', 'scenario', "'zod'"],
    types: ["'yaml'"],
  },
  { name: 'truth', files: /^truth\//, imports: ['engine', 'errors', 'overlay', "'zod'"] },
  {
    name: 'sandbox',
    files: /^sandbox\//,
    imports: [
      'engine',
      'errors',
      'audit',
      'overlay',
      'variation',
      'world',
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
    imports: ['errors', 'sandbox'],
    types: [
      'audit',
      'control',
      'engine',
      'generated',
      'lists',
      'scenario',
      'tables',
      'variation',
      'world',
    ],
  },
  { name: 'client', files: /^client\//, imports: ['errors'], types: ['control', 'scenario'] },
  {
    name: 'server',
    files: /^server\//,
    imports: [
      'engine',
      'errors',
      'control',
      'sandbox',
      'site',
      'host',
      'scenario',
      "'zod'",
      "'prom-client'",
      "'node:'",
    ],
  },
  {
    name: 'kits',
    files: /^kits\//,
    imports: ['errors', 'audit', 'client', 'server', "'vitest'", "'@playwright/test'"],
    types: ['sandbox'],
  },
  {
    name: 'cli',
    files: /^cli\//,
    imports: [
      'engine',
      'errors',
      'audit',
      'sandbox',
      'site',
      'server',
      'host',
      'scenario',
      'generated',
      'lists',
      'openapi',
      'overlay',
      'truth',
      "'commander'",
      "'zod'",
      "'node:'",
    ],
    types: ['control'],
  },
]

/** Packages that one file alone, or one kind of file, may import. */
const sole: Readonly<Record<string, RegExp>> = {
  '@msw/data': /^engine\/store\/table\.ts$/,
  leven: /^engine\/nearest\.ts$/,
  rou3: /^engine\/pipeline\/match\.ts$/,
  'pure-rand': /^engine\/random\.ts$/,
  msw: /^adapters\/msw\.ts$/,
  express: /^adapters\/express\.ts$/,
  statuses: /^adapters\/fetch\.ts$/,
  vitest: /^kits\/vitest(-setup)?\.ts$/,
  '@playwright/test': /^kits\/playwright\.ts$/,
  'prom-client': /^server\/metrics\.ts$/,
  cors: /^adapters\/express\.ts$/,
  'node:': /^(cli\/|server\/|adapters\/(node|package-folder|page|documents|console)\.ts$)/,
}
/** What hosts import: each its own library. */
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

it('keeps every import to the table', () => {
  expect(files.flatMap(breaches)).toEqual([])
})

it('has no role without a file', () => {
  expect(
    roles.filter((role) => !files.some((file) => roleOf(file) === role)).map(({ name }) => name),
  ).toEqual([])
})

it('has no circle, types included', () => {
  const edges = new Map(
    files.map((file) => [
      file,
      importsOf(file).flatMap(({ name }) => (files.includes(name) ? name : [])),
    ]),
  )
  expect(circleIn(edges)).toEqual([])
})

it('re-exports from src/index.ts alone', () => {
  expect(
    files.filter(
      (file) => file !== 'index.ts' && /^export\s[^'"`;=]*\sfrom\s+['"]/m.test(readText(file)),
    ),
  ).toEqual([])
})

it('takes time and chance from the world alone', () => {
  // What the linter's rules for `Date.now`, `Math.random` and their kind cannot say.
  const hidden =
    /\bnew Date(?:\(\)|(?!\())|(?<!new )(?<![\w.])Date\(|globalThis\.(?:Date|Math|crypto|performance)/
  const exempt = /^(?:cli|console|documents)\/|^engine\/(?:clock|random)\.ts$/
  expect(files.filter((file) => !exempt.test(file) && hidden.test(readText(file)))).toEqual([])
})

/** What a file imports that its role does not let it. */
function breaches(file: string): string[] {
  const role = roleOf(file)
  if (role === undefined)
    return [
      `src/${file} has no role: put it into a folder that has one, or add one to the table here.`,
    ]
  return importsOf(file)
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
    const isOwn = folderOf(file) === folderOf(name)
    // What a resource declares is its own: the routes, seeds and actions of another are none of its
    // business.
    return (
      allowed.includes(other.name) && (other.isApart !== true || isOwn || role.name === 'lists')
    )
  }
  return role.isApart !== true || folderOf(file) === folderOf(name)
}

/** Whether an allowance (`zod`, `node:`) covers a package. */
function isPackage(allowance: string, name: string): boolean {
  return (
    name === allowance || name.startsWith(allowance.endsWith(':') ? allowance : `${allowance}/`)
  )
}

function folderOf(file: string): string {
  return file.replace(/\/[^/]*$/, '')
}

function importsOf(file: string): Import[] {
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

/** The files of a circle, in order; empty when there is none. */
function circleIn(edges: ReadonlyMap<string, readonly string[]>): string[] {
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
