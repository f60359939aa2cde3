import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** What the files of one part of `src` may import besides each other. */
interface Rule {
  of: string
  imports?: readonly string[]
  /** Only as `import type`. */
  types?: readonly string[]
  /** The files of this part may not import each other. */
  isApart?: true
}

/** Who may import whom; a file may do what every rule that names it or its folder allows. CONTRIBUTING.md shows the same table. */
const rules: readonly Rule[] = [
  { of: 'errors' },
  { of: 'json-bytes' },
  { of: 'generated', types: ['model', 'scenario'] },
  { of: 'schemas', imports: ['zod'] },
  { of: 'model', imports: ['errors', 'schemas', 'json-bytes', 'generated/media-manifest', 'zod', '@faker-js/faker', '@noble/hashes', 'pure-rand'], types: ['scenario'] },
  { of: 'model/table', imports: ['@msw/data'] },
  { of: 'route', imports: ['zod'], types: ['model'] },
  { of: 'routes', imports: ['route', 'schemas', 'model', 'errors', 'zod'], isApart: true },
  { of: 'routes/index', imports: ['routes'] },
  { of: 'pipeline', imports: ['route', 'model', 'errors', 'json-bytes', 'rou3'], types: ['zod'] },
  { of: 'scenario', imports: ['schemas', 'model', 'errors', 'generated', 'control/actions', 'control/check', 'zod', 'yaml', '@noble/hashes'] },
  { of: 'control', imports: ['model', 'scenario', 'errors', 'schemas', 'generated', 'zod'], types: ['route'] },
  { of: 'adapters', imports: ['json-bytes'], types: ['route', 'site'] },
  { of: 'adapters/msw', imports: ['msw'] },
  { of: 'adapters/express', imports: ['express', 'cors'] },
  { of: 'adapters/node', types: ['node:http'] },
  { of: 'adapters/reference', imports: ['node:'] },
  { of: 'adapters/console', imports: ['node:'] },
  { of: 'console', imports: ['preact'], types: ['control'] },
  { of: 'media', imports: ['errors', 'generated'] },
  { of: 'options', imports: ['errors', 'schemas', 'scenario', 'control/check', 'zod'] },
  { of: 'openapi', imports: ['openapi', 'route', 'routes', 'schemas', 'control', 'errors', 'zod'] },
  { of: 'site', imports: ['control', 'openapi', 'routes', 'generated'], types: ['route'] },
  { of: 'stage', imports: ['media', 'model', 'options', 'pipeline', 'routes', 'scenario', 'schemas', 'story'], types: ['route'] },
  { of: 'story', imports: ['control', 'errors', 'model', 'pipeline'], types: ['scenario'] },
  { of: 'worlds', imports: ['errors', 'model', 'pipeline'], types: ['route'] },
  { of: 'sandbox', imports: ['stage', 'site', 'worlds', 'options', 'control', 'model', 'scenario', 'errors', 'adapters/fetch'], types: ['route'] },
  { of: 'index', imports: ['errors', 'sandbox'], types: ['control', 'model', 'options', 'route', 'scenario', 'site'] },
  { of: 'cli', imports: ['sandbox', 'options', 'errors', 'adapters', 'scenario', 'generated', 'commander', 'zod', 'node:'], types: ['control'] },
]

const source = new URL('../../src/', import.meta.url)
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file)).toSorted()
const readText = (file: string) => readFileSync(new URL(file, source), 'utf8')

interface Import {
  name: string
  isType: boolean
}

it('keeps every import to the table', () => {
  expect(files.flatMap(breaches), 'Change the imports, or say why in the table here and in CONTRIBUTING.md').toEqual([])
})

it('has no rule without a file', () => {
  expect(rules.map(({ of }) => of).filter((of) => !files.some((file) => names(of, file)))).toEqual([])
})

it('re-exports from src/index.ts alone', () => {
  expect(files.filter((file) => file !== 'index.ts' && /^export\s[^'"`;=]*\sfrom\s+['"]/m.test(readText(file)))).toEqual([])
})

it('takes time and chance from the world alone', () => {
  // What the linter's rules for `Date.now`, `Math.random` and their kind cannot say.
  const hidden = /\bnew Date(?:\(\)|(?!\())|(?<!new )(?<![\w.])Date\(|globalThis\.(?:Date|Math|crypto|performance)/
  const exempt = /^(?:cli|console)\/|^model\/(?:clock|random)\.ts$/
  expect(files.filter((file) => !exempt.test(file) && hidden.test(readText(file)))).toEqual([])
})

it('shows the table in CONTRIBUTING.md', () => {
  const guide = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8')
  expect(rules.map(toRow).filter((row) => !guide.includes(row)), 'Bring these rows of the table in CONTRIBUTING.md up to date').toEqual([])
  expect(guide.includes(rules.map(toRow).join('\n')), 'The rows stand in CONTRIBUTING.md in the order that they have here, and no others between them').toBe(true)
})

/** What a file imports that no rule lets it. */
function breaches(file: string): string[] {
  const own = rules.filter(({ of }) => names(of, file))
  if (own.length === 0) return [`${file} is in no rule: add one here and to CONTRIBUTING.md`]
  const siblings = own.some(({ isApart }) => isApart) ? [] : [file.replace(/\/.*/s, '')]
  const values = [...siblings, ...own.flatMap(({ imports = [] }) => imports)]
  const types = [...values, ...own.flatMap(({ types: allowed = [] }) => allowed)]
  return importsOf(file)
    .filter(({ name, isType }) => !(isType ? types : values).some((allowed) => names(allowed, name)))
    .map(({ name, isType }) => `${file} imports ${isType ? 'the types of ' : ''}${name}`)
}

/** Whether an allowance (`model`, `adapters/fetch`, `zod`, `node:`) covers a file of ours or a package. */
function names(allowance: string, name: string): boolean {
  return name === allowance || name === `${allowance}.ts` || name.startsWith(allowance.endsWith(':') ? allowance : `${allowance}/`)
}

function importsOf(file: string): Import[] {
  const text = readText(file)
  const statements = text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^'"`;=]*?\sfrom\s+)?['"]([^'"]+)['"]/gm)
  const calls = text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)
  const found = [...[...statements].map(([, type, name = '']) => ({ name, isType: type !== undefined })), ...[...calls].map(([, name = '']) => ({ name, isType: false }))]
  return found.map(({ name, isType }) => ({ name: name.startsWith('.') ? new URL(name, new URL(file, 'src://src/')).href.replace('src://src/', '') : name, isType }))
}

function toRow({ of, imports = [], types = [], isApart }: Rule): string {
  const allowed = [...imports, ...types.map((type) => `${type} (types)`)].join(', ')
  return `| ${of} | ${allowed || 'nothing'}${isApart ? '; not each other' : ''} |`
}
