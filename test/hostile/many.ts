import { createSandbox } from 'creator-api-sandbox'
import fc from 'fast-check'
import { apiRequests } from './requests.ts'
import type { HostileRequest } from './requests.ts'

// Answers generated requests in process, many more than a server is sent by run.ts: `npx tsx test/hostile/many.ts 1000000`. It fails at a
// 5xx, at an answer that takes longer than 250 ms again and again, and when memory grows.
const wanted = Number(process.argv[2] ?? 100_000)
const longestMs = 250
const batchSize = 2_000
/** The most that memory may grow after the first fifth of the run, MB. */
const mostGrowthMb = 200

const sandbox = createSandbox({ scenario: 'agency', journalSize: 200 })
await sandbox.ready
const requests = apiRequests(sandbox)
const failures: string[] = []
const statuses = new Map<number, number>()
const memoryMb = () => process.memoryUsage().rss / 1_048_576
let [slowestMs, warmMb, highestMb] = [0, 0, 0]

for (let done = 0; done < wanted; done += batchSize) {
  await sandbox.reset()
  sandbox.act({ type: 'limits.set', minute: 1_000_000_000, day: 1_000_000_000 })
  for (const request of fc.sample(requests, { seed: done + 1, numRuns: batchSize })) await judge(request)
  highestMb = Math.max(highestMb, memoryMb())
  if (warmMb === 0 && done > wanted / 5) warmMb = memoryMb()
}
const endMb = memoryMb()
if (endMb > warmMb + mostGrowthMb) failures.push(`Memory grew from ${warmMb.toFixed(0)} to ${endMb.toFixed(0)} MB.`)
console.log(`requests: ${[...statuses.values()].reduce((sum, count) => sum + count, 0)}`)
console.log(
  `by status: ${[...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')}`,
)
console.log(
  `longest answer: ${slowestMs.toFixed(0)} ms; memory after a fifth, at most, at the end: ${[warmMb, highestMb, endMb].map((mb) => mb.toFixed(0)).join(', ')} MB`,
)
for (const failure of failures.slice(0, 50)) console.log(`FAILED  ${failure}`)
process.exitCode = failures.length === 0 ? 0 : 1

async function judge(request: HostileRequest): Promise<void> {
  const first = await answer(request)
  const { status } = first
  let { ms } = first
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const what = `${request.method} ${request.url.slice(0, 200)} ${(request.body ?? '').slice(0, 120)}`
  if (status >= 500) failures.push(`${status} ${what}`)
  // A busy machine makes one slow by chance: only what is slow each time is slow.
  for (let again = 0; again < 3 && ms > longestMs; again += 1) ms = Math.min(ms, (await answer(request)).ms)
  slowestMs = Math.max(slowestMs, ms)
  if (ms > longestMs) failures.push(`${ms.toFixed(0)} ms ${what}`)
}

async function answer({ method, url, headers, body }: HostileRequest): Promise<{ ms: number; status: number }> {
  const start = process.cpuUsage()
  const { status } = await sandbox.handle({ method, url, header: (name) => headers[name] ?? null, body })
  const { user, system } = process.cpuUsage(start)
  return { ms: (user + system) / 1000, status }
}
