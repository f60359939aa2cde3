import { startStubServer, startBuiltServer, raiseRateLimits } from './http.ts'
import type { Running } from './http.ts'
import { measureRate } from './load.ts'
import type { Load } from './load.ts'
import { slack, summariseTimes } from './measure.ts'
import type { Line } from './measure.ts'
import { writeDocsSection } from './performance-page.ts'
import { createReadRequests, createWriteRequests } from './reads.ts'
import type { BenchRequest } from './reads.ts'
import { sendAsOwner, createUnlimitedSandbox } from './sandboxes.ts'
import type { Built } from './sandboxes.ts'
import { countBytes, toChunks } from '../src/lib/chunks.ts'

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5)
const requests = Number(process.env['BENCH_REQUESTS'] ?? 600)
const connections = 20
/**
 * Number of requests to each route before the first measurement. Real servers handle many routes,
 * so the JIT compiler must see them all.
 */
const firstRequests = 200

const feed = 'GET /v1/:account_id/posts'

interface Row {
  name: string
  bytes: number
  /** Requests per second of server CPU time. */
  ours: number
  /**
   * Our request rate relative to that of plain Express 5, which sends the same body with
   * `JSON.stringify`.
   */
  ofExpress: number
  /** Our request rate relative to that of node:http, which sends a fixed body of the same size. */
  ofLimit: number
}

/**
 * Compares all read routes and common writes with plain Express in alternating runs, using `agency`
 * with a running clock.
 */
export async function benchRoutes({ createSandbox }: Built): Promise<Line[]> {
  const sandbox = await createUnlimitedSandbox(createSandbox, 'agency')
  const wanted = process.env['BENCH_ROUTES'] ?? ''
  const writes = createWriteRequests(sandbox)
  const all = [...createReadRequests(sandbox), ...writes].filter(({ name }) =>
    name.includes(wanted),
  )
  const answers: unknown[] = []
  for (const sent of all) answers.push(await getRouteResponse(createSandbox, sent))
  const ours = await startBuiltServer('--now', sandbox.control.state().start)
  const express = await startStubServer('servers/express-json.ts', answers)
  const fixed = await startStubServer('servers/fixed.ts', answers)
  try {
    const { headers } = await raiseRateLimits(ours.url)
    const rows: Row[] = []
    const subjects = all.map((sent, place) =>
      createSubjects(sent, { ours, express, fixed }, { headers, place }),
    )
    // Writes run last, because they change the responses to reads.
    for (const each of subjects.slice(0, all.length - writes.length))
      for (const subject of each) await measureRequestRate(subject, firstRequests)
    for (const [place, { name }] of all.entries())
      rows.push(await compare(name, subjects[place] ?? [], answers[place]))
    const sorted = rows.toSorted((a, b) => a.ofExpress - b.ofExpress)
    const table = toTable(sorted)
    console.log(table)
    if (wanted === '') writeDocsSection('routes', table)
    return toLines(sorted)
  } finally {
    for (const { process: child } of [ours, express, fixed]) child.kill()
  }
}

/** Returns the response of the route from a separate sandbox. */
async function getRouteResponse(
  createSandbox: Built['createSandbox'],
  { method, url, body }: BenchRequest,
): Promise<unknown> {
  const reply = await sendAsOwner(
    await createUnlimitedSandbox(createSandbox, 'agency'),
    method,
    url,
    body,
  )
  return JSON.parse(Buffer.concat(toChunks(reply.body)).toString())
}

interface Subject {
  pid: number
  load: Load
}

/**
 * Returns the requests to our server, to Express, and to the fixed-response server (the upper
 * limit).
 */
function createSubjects(
  { method, url, body }: BenchRequest,
  { ours, express, fixed }: Record<'ours' | 'express' | 'fixed', Running>,
  { headers, place }: { headers: Record<string, string>; place: number },
): Subject[] {
  const load = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) }
  const createSubject = ({ process: { pid = 0 }, url: server }: Running, path: string) => ({
    pid,
    load: { ...load, url: server, path },
  })
  return [
    createSubject(ours, url),
    createSubject(express, `/${place}`),
    createSubject(fixed, `/${place}`),
  ]
}

async function compare(name: string, subjects: readonly Subject[], answer: unknown): Promise<Row> {
  for (const subject of subjects) await warmUp(subject)
  const rates: number[][] = subjects.map(() => [])
  const share = (other: number) =>
    summariseTimes((rates[0] ?? []).map((rate, round) => rate / (rates[other]?.[round] ?? 1)))
      .median
  const measure = async (times: number) => {
    for (let round = 0; round < times; round += 1)
      for (const [place, subject] of subjects.entries())
        rates[place]?.push(await measureRequestRate(subject, requests))
  }
  await measure(rounds)
  if (name.startsWith(`${feed}?`) || share(1) < closeShare) await measure(rounds * 2)
  const bytes = countBytes(toChunks(JSON.stringify(answer)))
  return {
    name,
    bytes,
    ours: summariseTimes(rates[0] ?? []).median,
    ofExpress: share(1),
    ofLimit: share(2),
  }
}

/**
 * Sends requests until the rate no longer increases. At first the JIT compiler uses a second thread
 * and some rounds are slow, so the rate counts as final only after several rounds without an
 * increase.
 */
async function warmUp(subject: Subject): Promise<void> {
  let [best, level] = [0, 0]
  for (let round = 0; round < maxWarmUps && level < levelRounds; round += 1) {
    const rate = await measureRequestRate(subject, requests)
    level = rate < best * leastRise ? level + 1 : 0
    best = Math.max(best, rate)
  }
}

/**
 * Routes with a ratio below this value are measured for longer. A full garbage collection takes as
 * long as a round but occurs only in some rounds, so short measurements are inaccurate.
 */
const closeShare = 1.1

const maxWarmUps = 24
/** Number of consecutive rounds without an increase after which the rate is considered final. */
const levelRounds = 5
/** Smallest ratio between two rounds that counts as an increase. */
const leastRise = 1.05

function measureRequestRate({ pid, load }: Subject, count: number): Promise<number> {
  return measureRate(load, { pid, connections, requests: count })
}

function toLines(rows: readonly Row[]): Line[] {
  const shares = rows.map(({ ofExpress }) => ofExpress)
  const worst = rows[0]
  const { median } = summariseTimes(shares)
  const ofFeed = Math.min(
    ...rows.filter(({ name }) => name.startsWith(`${feed}?`)).map(({ ofExpress }) => ofExpress),
  )
  const beside = 'bare Express 5 with JSON.stringify'
  return [
    {
      what: `worst of all routes that read and ten writes / ${beside}`,
      measured: `${worst?.ofExpress.toFixed(2)} x (${worst?.name})`,
      budget: '>= 0.90 x',
      isKept: (worst?.ofExpress ?? 0) >= 0.9 / slack,
    },
    {
      what: 'the same: their median',
      measured: `${median.toFixed(2)} x`,
      budget: '>= 1.80 x',
      isKept: median >= 1.8 / slack,
    },
    {
      what: 'the same: the post feed',
      measured: `${ofFeed.toFixed(2)} x`,
      budget: '>= 2.20 x',
      isKept: ofFeed >= 2.2 / slack,
    },
  ]
}

function toTable(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ name, bytes, ours, ofExpress, ofLimit }) =>
      `| \`${name}\` | ${(bytes / 1000).toFixed(1)} KB | ${ours.toFixed(0)} | ${(ofExpress * 100).toFixed(0)} % | ${(ofLimit * 100).toFixed(0)} % |`,
  )
  return [
    '| Route | Body | Requests a second | Of bare Express | Of the limit |',
    '| --- | --: | --: | --: | --: |',
    ...lines,
  ].join('\n')
}
