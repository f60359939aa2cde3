// Prints the size of the core, and the parts of the core that a request and an action execute:
//
//   npm run measure-core               prints the table
//   npm run measure-core -- --calls    also prints the functions that each call runs
//
// For each call, V8's precise coverage lists the named functions under src that ran, and their
// files. A function is identified by its file and start offset. Unnamed callbacks, top-level module
// code and esbuild helpers (`__name`) do not count. The request goes through
// `sandbox.fetch`, fifty times as a warm-up and once for the measurement. Random values decide
// which functions a tip runs, so all functions of twenty tips are counted. The optimiser is
// disabled, because coverage does not contain inlined functions.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { dirname } from 'node:path'
import { parseSync } from 'vite'
import { createSandbox } from '../src/index.ts'

/** A measurement, with its first recorded value and its target value. */
type Row = readonly [name: string, now: string, before: string, target: string]

interface SourceFile {
  /** Path relative to src, with forward slashes. */
  path: string
  lines: number
  generators: number
  yields: number
  classes: number
}

const source = new URL('../src/', import.meta.url)
const shown = 5

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => statSync(new URL(path, source)).isFile())
  .filter((path) => !path.startsWith('generated/'))
  .toSorted()
  .map(readSource)

const { posts, tip } = await measureCalls()
const longest = files.toSorted((a, b) => b.lines - a.lines).slice(0, shown)
const fullest = formatTally(files, ({ path }) => dirname(path)).slice(0, shown)
const withGenerators = files.filter(({ generators }) => generators > 0)

printTable([
  ['lines in src, without generated', formatCount(sum(files, 'lines')), '76,780', 'about 68,000'],
  ['functions in files, GET posts', formatFiles(posts), '157 in 43', '≤110 in 32'],
  ['functions in files, act tip', formatFiles(tip), '212 in 57', '≤160 in 46'],
  ['files with a generator', formatCount(withGenerators.length), '93', '≤12'],
  ['yields', formatCount(sum(files, 'yields')), '', ''],
  ['classes', formatCount(sum(files, 'classes')), '110', '≤90'],
  [
    'lines of the longest file',
    formatCount(longest[0]?.lines ?? 0),
    '869 (at 140 columns)',
    '≤450',
  ],
  ['files in the fullest folder', formatCount(fullest[0]?.size ?? 0), '75', '≤30'],
])
printList(
  'Longest files',
  longest.map(({ path, lines }) => [path, lines]),
)
printList(
  'Fullest folders',
  fullest.map(({ name, size }) => [name, size]),
)
printList(
  'Lines by folder',
  formatTally(files, ({ path }) => (path.includes('/') ? path.replace(/\/.*/, '') : '.'))
    .toSorted((a, b) => b.lines - a.lines)
    .map(({ name, lines }) => [name, lines]),
)
if (process.argv.includes('--calls')) {
  printList('GET posts', toNames(posts))
  printList('act tip', toNames(tip))
}

function readSource(path: string): SourceFile {
  const text = readFileSync(new URL(path, source), 'utf8')
  const counts = { generators: 0, yields: 0, classes: 0 }
  if (/\.tsx?$/.test(path)) countNodes(parseSync(path, text).program, counts)
  return { path, lines: text.split('\n').length - 1, ...counts }
}

/** Counts a syntax node and its descendants. */
function countNodes(node: object, counts: Pick<SourceFile, 'generators' | 'yields' | 'classes'>) {
  const { type, generator } = node as { type?: string; generator?: boolean }
  if (generator === true) counts.generators += 1
  if (type === 'YieldExpression') counts.yields += 1
  if (type === 'ClassDeclaration' || type === 'ClassExpression') counts.classes += 1
  for (const child of Object.values(node) as unknown[])
    if (typeof child === 'object' && child !== null) countNodes(child, counts)
}

/** Returns the functions executed by a request and by actions after warm-up, by file. */
async function measureCalls() {
  const sandbox = createSandbox({ scenario: 'agency' })
  await sandbox.ready
  const account = sandbox.db.accounts.find({ connected: true })?.id ?? 0
  const headers = { authorization: `Bearer ${sandbox.keys['owner']}` }
  const feed = `${sandbox.baseUrl}/v1/${account}/posts?limit=20`
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const ranBy = async (
    run: () => unknown,
    { warmUps, times }: { warmUps: number; times: number },
  ) => {
    for (let time = 0; time < warmUps; time += 1) await run()
    await session.post('Profiler.takePreciseCoverage')
    for (let time = 0; time < times; time += 1) await run()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ url }) => url.startsWith(source.href) && !url.includes('/generated/'))
      .map(({ url, functions }) => ({
        path: url.slice(source.href.length).replace(/\?.*/, ''),
        names: functions.flatMap(({ functionName: name, ranges: [range] }) =>
          name === '' || name.startsWith('__') || range === undefined || range.count === 0
            ? []
            : [`${name}@${range.startOffset}`],
        ),
      }))
      .filter(({ names }) => names.length > 0)
  }
  const measured = {
    posts: await ranBy(
      async () => {
        const response = await sandbox.fetch(feed, { headers })
        if (response.status !== 200) throw new Error(`Failed to read posts: ${response.status}.`)
      },
      { warmUps: 50, times: 1 },
    ),
    tip: await ranBy(() => sandbox.act({ type: 'tip', account_id: account }), {
      warmUps: 20,
      times: 20,
    }),
  }
  session.disconnect()
  sandbox.close()
  return measured
}

type MeasuredCalls = Awaited<ReturnType<typeof measureCalls>>['posts']

function formatFiles(ran: MeasuredCalls): string {
  return `${ran.reduce((total, { names }) => total + names.length, 0)} in ${ran.length}`
}

function toNames(ran: MeasuredCalls): [string, string][] {
  return ran.map(({ path, names }) => [path, names.join(' ')])
}

/** Lists the number of files and lines for each name, sorted by descending number of files. */
function formatTally(some: readonly SourceFile[], nameOf: (file: SourceFile) => string) {
  const byName = new Map<string, { name: string; size: number; lines: number }>()
  for (const file of some) {
    const name = nameOf(file)
    const { size, lines } = byName.get(name) ?? { size: 0, lines: 0 }
    byName.set(name, { name, size: size + 1, lines: lines + file.lines })
  }
  return [...byName.values()].toSorted((a, b) => b.size - a.size)
}

function sum(some: readonly SourceFile[], field: 'lines' | 'yields' | 'classes'): number {
  return some.reduce((total, file) => total + file[field], 0)
}

function formatCount(number: number): string {
  return number.toLocaleString('en')
}

function printTable(rows: readonly Row[]): void {
  const all = [['', 'now', 'before', 'target'], ...rows]
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...all.map((row) => (row[column] ?? '').length)),
  )
  for (const row of all)
    console.log(
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
}

function printList(title: string, rows: readonly (readonly [string, number | string])[]): void {
  console.log(`\n${title}`)
  for (const [name, value] of rows)
    console.log(`  ${typeof value === 'number' ? formatCount(value).padStart(7) : value}  ${name}`)
}
