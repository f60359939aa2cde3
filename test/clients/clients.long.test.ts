import { describe, expect, it } from 'vitest'
import type { TrialName } from '../../src/variation/variation.ts'
import { python } from '../support/python.ts'
import { correctClients, smallClients, wrongClients } from './list.ts'
import { describeClient, openClientRun, surviveOptions } from './run.ts'

/** Results of testing a client. */
interface Outcome {
  /** Variations and bad days that affected the client. */
  met: readonly TrialName[]
  /** Variations and bad days that broke the client. */
  broken: readonly TrialName[]
  /** Audit rules that had findings in the plain run or in runs that broke the client. */
  rules: readonly string[]
  /** Audit rules that had findings or hints in any run. */
  allRules: readonly string[]
}

const outcomes = new Map<string, Outcome>()
const isPython = (file: string) => file.endsWith('.py')
const unique = (names: Iterable<string>) => [...new Set(names)].toSorted()

/** Returns the number of runs per trial. Each run in Python starts a process. */
function getSeedCount(file: string): number {
  if (!isPython(file)) return 6
  return correctClients.includes(file) ? 3 : 1
}

/** Runs a client without variations, then with each variation and bad day. */
async function tryClient(file: string): Promise<Outcome> {
  using client = await openClientRun(file, wrongClients[file]?.pause)
  const { sandbox } = client
  const runs: string[][] = []
  const attempt = async () => {
    try {
      return await client.run()
    } finally {
      const { findings } = await sandbox.audit()
      runs.push(findings.map(({ rule }) => rule))
    }
  }
  const { results } = await sandbox.survive(attempt, {
    ...surviveOptions,
    seeds: getSeedCount(file),
  })
  const failures = results.flatMap((result) => result.failures)
  const outcome = {
    met: results.filter(({ met }) => met > 0).map(({ name }) => name),
    broken: results.filter((result) => result.failures.length > 0).map(({ name }) => name),
    rules: unique([
      ...runs[0]!,
      ...failures.flatMap(({ findings }) => findings.map(({ rule }) => rule)),
    ]),
    allRules: unique(runs.flat()),
  }
  outcomes.set(file, outcome)
  return outcome
}

function testClients(isChosen: (file: string) => boolean): void {
  for (const [file, { under, rules = [] }] of Object.entries(wrongClients)) {
    if (!isChosen(file)) continue
    it(`finds ${file}`, async () => {
      const { broken, rules: found } = await tryClient(file)
      if (under !== undefined) expect(broken).toContain(under)
      expect(found).toEqual(expect.arrayContaining([...rules]))
    })
  }
  for (const file of correctClients.filter(isChosen))
    it(`reports nothing about ${file}`, async () => {
      const { met, broken, allRules } = await tryClient(file)
      expect(met.length).toBeGreaterThan(5)
      expect({ broken, allRules }).toEqual({ broken: [], allRules: [] })
    })
}

testClients((file) => !isPython(file))
// These clients wait in real time, so they run concurrently.
describe.skipIf(!python)('in Python', { concurrent: true }, () => {
  testClients(isPython)
})

for (const name of smallClients)
  it(`lets ${name} survive or report all trials`, async () => {
    using client = await openClientRun(name)
    const options = { ...surviveOptions, expectError: undefined, seeds: 3 }
    const { results } = await client.sandbox.survive(client.run, options)
    expect(results.flatMap(({ failures }) => failures)).toEqual([])
  })

it.skipIf(!python)('generates the page in the docs', async () => {
  const code = (names: readonly string[], expected: readonly (string | undefined)[] = []) =>
    names.map((name) => (expected.includes(name) ? `**\`${name}\`**` : `\`${name}\``)).join(', ')
  const wrong = Object.entries(wrongClients).map(([file, { under, rules = [] }]) => {
    const found = outcomes.get(file)!
    const cells = [code(found.broken, [under]), code(found.rules, rules)]
    return `| \`${file}\` | ${describeClient(file)} | ${cells.join(' | ')} |`
  })
  const correct = correctClients.map(
    (file) =>
      `| \`${file}\` | ${describeClient(file)} | ${outcomes.get(file)!.met.length} | nothing |`,
  )
  const page = `# Bugs that are found

The tests of the sandbox contain ${wrong.length} small clients with one typical bug each, and ${correct.length + smallClients.length} correct clients. Their sources are in \`test/clients\`. Each client runs once without changes, then with each [variation](variation.md#variations) and on each [bad day](variation.md#bad-days), which simulates failures of the service. The [audit](audit.md) checks every run. A test generates this page from the results.

A client passes if it reports an error after a 401, 402, 404, 424 or 429, or after a write without a successful response. A client must handle all other failures itself.

## Wrong clients

The check that must find the bug is **bold**. The last column lists the audit rules that report the client, either in the run without variations or in a run that broke the client.

| client | bug | broken by | rules |
| --- | --- | --- | --- |
${wrong.join('\n')}

## Correct clients

Variations and bad days that do not affect a client are not counted.

| client | task | met | found |
| --- | --- | --- | --- |
${correct.join('\n')}
`
  await expect(page).toMatchFileSnapshot('../../docs/found-bugs.md')
})
