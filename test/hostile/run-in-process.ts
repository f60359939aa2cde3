import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createSandbox } from 'creator-api-sandbox'
import fc from 'fast-check'
import { generateApiRequests } from './requests.ts'
import type { HostileRequest } from './requests.ts'

// Sends generated requests to a sandbox in this process. Sends many more requests than run.ts sends
// to a server: `npx tsx test/hostile/run-in-process.ts 1000000`. Fails if a response has a 5xx
// status, if a response repeatedly takes longer than 250 ms, or if memory grows. Prints its state
// after each tenth of the run. Ctrl+C ends it early.
const wanted = Number(process.argv[2] ?? 100_000)
if (!Number.isSafeInteger(wanted) || wanted < 1)
  throw new Error(`Failed to send ${process.argv[2]} requests: give a whole number above 0.`)
const maxMs = 250
const batchSize = 2_000
/** Maximum growth of retained memory after the first fifth of the run, MB. */
const maxGrowthMb = 20

const sandbox = createSandbox({ scenario: 'agency', journalSize: 200 })
await sandbox.ready
const requests = generateApiRequests(sandbox)
const failures: string[] = []
const statuses = new Map<number, number>()
const memoryMb = () => process.memoryUsage().rss / 1_048_576
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
/** Returns the memory used after garbage collection, MB. */
const heldMb = () => {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1_048_576
}
let [slowestMs, warmMb, highestMb] = [0, 0, 0]

const warmAt = wanted / 5
let tenths = 0
const stopping = { isAsked: false }
process.once('SIGINT', () => (stopping.isAsked = true))

for (let done = 0; done < wanted && !stopping.isAsked;) {
  await sandbox.reset()
  sandbox.act({ type: 'limits.set', minute: 1_000_000_000, day: 1_000_000_000 })
  for (const request of fc.sample(requests, {
    seed: done + 1,
    numRuns: Math.min(batchSize, wanted - done),
  })) {
    await checkResponse(request)
    // All other code is synchronous, so without this pause the process could not handle signals.
    if (++done % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
    if (stopping.isAsked) break
  }
  highestMb = Math.max(highestMb, memoryMb())
  if (warmMb === 0 && done > warmAt) warmMb = heldMb()
  if (Math.floor((done / wanted) * 10) === tenths) continue
  tenths = Math.floor((done / wanted) * 10)
  console.log(describeProgress())
}
const endMb = heldMb()
if (warmMb > 0 && endMb > warmMb + maxGrowthMb)
  failures.push(`What is held grew from ${warmMb.toFixed(0)} to ${endMb.toFixed(0)} MB.`)
if (stopping.isAsked) console.log(`stopped before the end, of ${wanted} requests wanted`)
console.log(describeProgress())
if (warmMb > 0)
  console.log(
    `held after a fifth of the way, and at the end: ${warmMb.toFixed(0)}, ${endMb.toFixed(0)} MB`,
  )
for (const failure of failures.slice(0, 50)) console.log(`FAILED  ${failure}`)
process.exitCode = failures.length === 0 ? 0 : 1

function describeProgress(): string {
  const byStatus = [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
  const count = [...statuses.values()].reduce((sum, of) => sum + of, 0)
  const serverErrors = [...statuses].reduce(
    (sum, [status, of]) => (status >= 500 ? sum + of : sum),
    0,
  )
  return (
    `requests: ${count}; by status: ${byStatus.join(', ')}; 5xx: ${serverErrors}; longest answer: ${slowestMs.toFixed(0)} ms; ` +
    `memory: ${memoryMb().toFixed(0)} MB, at most ${highestMb.toFixed(0)}; failures: ${failures.length}`
  )
}

async function checkResponse(request: HostileRequest): Promise<void> {
  const first = await answer(request)
  const { status } = first
  let { ms } = first
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const what = `${request.method} ${request.url.slice(0, 200)} ${(request.body ?? '').slice(0, 120)}`
  if (status >= 500) failures.push(`${status} ${what}`)
  // Fails only if the request is slow each time, because the machine may be busy.
  for (let again = 0; again < 3 && ms > maxMs; again += 1)
    ms = Math.min(ms, (await answer(request)).ms)
  slowestMs = Math.max(slowestMs, ms)
  if (ms > maxMs) failures.push(`${ms.toFixed(0)} ms ${what}`)
}

async function answer({
  method,
  url,
  headers,
  body,
}: HostileRequest): Promise<{ ms: number; status: number }> {
  const start = process.cpuUsage()
  const { status } = await sandbox.handle({
    method,
    url,
    header: (name) => headers[name] ?? null,
    body,
  })
  const { user, system } = process.cpuUsage(start)
  return { ms: (user + system) / 1000, status }
}
