import { readDigests, writeDigests } from './digests.ts'
import { describeDifference, findDifferences, toDigestLines } from './differences.ts'
import type { Difference } from './differences.ts'
import { scenarios, seeds } from './observe.ts'
import { computeDigestsInChild, repeatObservationInChild } from './start-child.ts'
import type { Digests } from './child.ts'
import { checkOutOldSources } from './worktree.ts'

// Compares the sandbox's responses with the recorded digests. `--accept` records the current
// responses.
const isAccepting = process.argv.includes('--accept')
const began = performance.now()
const results = await computeAllScenarioDigests()
const requests = [...results.values()].flat().reduce((sum, each) => sum + each.requests, 0)
const seconds = Math.round((performance.now() - began) / 1000)
console.log(
  `${requests} requests, ${scenarios.length} scenarios at ${seeds.length} seeds, ${seconds} s.`,
)

const differences = scenarios.flatMap((scenario) =>
  findDifferences(scenario, readDigests(scenario), results.get(scenario)!),
)
if (isAccepting)
  for (const scenario of scenarios) writeDigests(scenario, toDigestLines(results.get(scenario)!))
report(differences)
const first = differences.find(({ kind }) => kind === 'differs')
if (first !== undefined && !isAccepting) await printFirst(first)
process.exitCode = differences.length > 0 && !isAccepting ? 1 : 0

/** Creates the digests of all scenarios and seeds, with two processes at a time. */
async function computeAllScenarioDigests(): Promise<Map<string, Digests[]>> {
  const taken = new Map<string, Digests[]>(scenarios.map((scenario) => [scenario, []]))
  const jobs = scenarios.flatMap((scenario) =>
    seeds.map((seed, index) => async () => {
      taken.get(scenario)![index] = await computeDigestsInChild({ scenario, seed, folder: '.' })
    }),
  )
  const work = async () => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await job()
  }
  await Promise.all([work(), work()])
  return taken
}

function report(found: readonly Difference[]): void {
  if (found.length === 0) return console.log('All answers and tables equal the recorded ones.')
  const count = (kind: Difference['kind']) => found.filter((each) => each.kind === kind).length
  console.log(
    `${count('differs')} differ, ${count('new')} are new, ${count('gone')} are gone` +
      `${isAccepting ? '. They are recorded now.' : ':'}`,
  )
  for (const { scenario, seed, kind, name } of found.slice(0, 20))
    console.log(`  ${kind}: ${scenario} at seed ${seed ?? 'default'}, ${name}`)
  if (found.length > 20) console.log(`  and ${found.length - 20} more`)
}

/** Prints the previous and the current response to the first request for which they differ. */
async function printFirst({ scenario, seed, name }: Difference): Promise<void> {
  console.log(`\nThe first: ${scenario} at seed ${seed ?? 'default'}, ${name}`)
  const now = await repeatObservationInChild({ scenario, seed, folder: '.' }, name)
  const old = checkOutOldSources()
  if ('missing' in old) {
    console.log(`The previous answer is not available: ${old.missing}. The present one:`)
    for (const { request, status, body } of (now.exchanges ?? []).slice(0, 5))
      console.log(`  ${request}\n  status ${status}\n  ${body.slice(0, 3000)}`)
    return
  }
  try {
    const before = await repeatObservationInChild({ scenario, seed, folder: old.folder }, name)
    console.log(`Before is commit ${old.commit.slice(0, 12)}.`)
    console.log(describeDifference(before.exchanges ?? [], now.exchanges ?? []))
  } finally {
    old.remove()
  }
}
