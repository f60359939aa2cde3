import { readdirSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { expect, it } from 'vitest'
import { CredentialPatterns } from '../../src/lib/credentials.ts'

/**
 * Folders whose regular expressions never run on client input: pages in the user's browser, and the
 * code of `npm run generate`.
 */
const apart = /^(?:pages|generated)\//

/**
 * Regular expressions that may take more than linear time, each with the reason why this is
 * acceptable.
 */
const exempt: Readonly<Record<string, string>> = {
  'lib/money.ts /\\B(?=(\\d{3})+$)/g': 'It reads a number, of at most 22 digits.',
  'lib/time.ts /(\\d+(?:\\.\\d+)?)\\s*(ms|s|m|h|d|w)/g':
    'It reads a text that is known to be a duration.',
}

/** Files that build regular expressions at run time, each with the reason why this is safe. */
const built: Readonly<Record<string, string>> = {
  'cli/survive/flags.ts': 'a flag of the user, compared with the output of their command',
  'hosts/msw.ts': 'an address, escaped, at the beginning',
  'lib/credentials.ts': 'measured below',
  'lib/time.ts': 'words of units, after a number',
  'resources/uploads/routes.ts': 'parts of fixed lengths, and then a class up to the end',
  'scenario/scenario-file.ts': 'words at the beginning of a line',
  'variation/compare-output.ts': 'a time of day, of fixed lengths, after a date',
  'variation/id-variations.ts': 'a number',
  'verify/verify.ts': "a flag of the user, compared with the sandbox's own routes",
}

/** A regular expression, or a function that uses regular expressions. */
interface Expression {
  name: string
  /** The regular expression from which input strings are generated. */
  source: string
  run: (text: string) => void
}

function toExpression(source: string, flags: string, file = ''): Expression {
  const expression = new RegExp(source, flags)
  const run = flags.includes('g')
    ? (text: string) => void text.replace(expression, '')
    : (text: string) => {
        expression.lastIndex = 0
        expression.test(text)
      }
  return { name: `${file} /${source}/${flags}`, source, run }
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file) && !apart.test(file))
const texts = new Map(files.map((file) => [file, readFileSync(`src/${file}`, 'utf8')]))

function listExpressions(file: string, text: string): Expression[] {
  const found: Expression[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { regex } = value as { regex?: { pattern: string; flags: string } }
    if (regex !== undefined) found.push(toExpression(regex.pattern, regex.flags, file))
    else Object.values(value).forEach(visit)
  }
  visit(parseSync(file, text).program)
  return found
}

/**
 * Returns strings whose repetition may match: characters, pairs of characters, and words from the
 * expression.
 */
function listRepeatableUnits(source: string): string[] {
  const plain = source.replace(
    /\\[dDwWsSbBpPku](?:\{[^}]*\}|<[^>]*>)?|\(\?(?:<?[=!]|:|<\w+>)/g,
    ' ',
  )
  const characters = new Set([...plain.replace(/\\(.)/gs, '$1')].slice(0, 200))
  if (/\\[dw]/i.test(source)) characters.add('0').add('a')
  if (/\\s/i.test(source)) characters.add(' ')
  characters.add('x')
  for (const sign of '()[]|*+?^$') if (!source.includes(`\\${sign}`)) characters.delete(sign)
  const single = [...characters].slice(0, 14)
  const paired = single.slice(0, 8)
  const words = plain.match(/[^()[\]|*+?^${}\\]{2,}/g) ?? []
  return [...single, ...paired.flatMap((a) => paired.map((b) => a + b)), ...words.slice(0, 6)]
}

/** Measures how long an expression takes for a string, ms, as the minimum of several attempts. */
function time({ run }: Expression, text: string, attempts: number): number {
  let best = Infinity
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const start = performance.now()
    run(text)
    best = Math.min(best, performance.now() - start)
  }
  return best
}

/**
 * Returns a string whose matching time grows faster than its length, or undefined if none was
 * found.
 */
function findSlowUnit(expression: Expression): string | undefined {
  const { source } = expression
  const prefixes = ['', ...(/^\^?([\w"'/:. -]+)/.exec(source)?.slice(1) ?? [])]
  for (const unit of listRepeatableUnits(source))
    for (const prefix of prefixes)
      for (const end of unit.length === 1 ? ['', '\u0000\n'] : ['\u0000\n']) {
        const toText = (length: number) =>
          prefix + unit.repeat(Math.ceil(length / unit.length)) + end
        if (isSlow(expression, toText)) return unit
      }
  return undefined
}

/**
 * True if the time grows much faster than the length. Starts with a short string, because matching
 * a long one may never finish.
 */
function isSlow(expression: Expression, toText: (length: number) => string): boolean {
  return [20, 1_500].some((length) => {
    // Most expressions take almost no time. The other expressions are measured with increasingly
    // long strings, and again if the machine is busy.
    const isDone = () => time(expression, toText(length), 1) < 0.3
    if (isDone() || isDone()) return false
    const longer = length === 20 ? 24 : 4 * length
    const grows = () =>
      time(expression, toText(longer), 2) > 8 * time(expression, toText(length), 2)
    return grows() && grows() && grows()
  })
}

it('has only regular expressions with linear time', () => {
  const all = [...texts].flatMap(([file, text]) => listExpressions(file, text))
  expect(all.length).toBeGreaterThan(100)
  const slow = all.flatMap((expression) => {
    const unit = findSlowUnit(expression)
    return unit === undefined || exempt[expression.name] !== undefined
      ? []
      : [[expression.name, unit]]
  })
  expect(slow).toEqual([])
})

it.each([
  ['[^/]*[^\\d/][^/]*', 'g'],
  ['\\s+$', ''],
])('measures that /%s/%s takes longer', (source, flags) => {
  expect(findSlowUnit(toExpression(source, flags))).toBeDefined()
})

it('masks credentials in linear time', () => {
  const forms = new CredentialPatterns({ liveKeyPrefixes: ['zz-'] })
  const source = String.raw`sk_|eyJ|a_live_|zz-|%|~|\.|\w-|eyJaaaaaaaa\.`
  const mask = (text: string) => void forms.mask(text, () => '')
  const look = (text: string) => void forms.mayBeIn(text)
  expect([mask, look].map((run) => findSlowUnit({ name: '', source, run }))).toEqual([
    undefined,
    undefined,
  ])
})

it('builds expressions only in files that are known to be safe', () => {
  const building = [...texts].flatMap(([file, text]) =>
    text.includes('new RegExp(') ? [file] : [],
  )
  expect(building.toSorted()).toEqual(Object.keys(built))
})
