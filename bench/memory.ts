import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { raiseRateLimits, startBuiltServer } from './http.ts'
import { measureRate } from './load.ts'
import { slack } from './measure.ts'
import type { Line } from './measure.ts'

/** Time without requests after which a server is considered idle, ms. */
const restMs = 12_000

/** Measures the memory of the built server with `agency`, idle and after many requests. */
export async function benchMemory(): Promise<Line[]> {
  const server = await startBuiltServer()
  const pid = server.process.pid ?? 0
  try {
    await wait(restMs)
    const resting = readResidentMegabytes(pid)
    const { headers, path } = await raiseRateLimits(server.url)
    const load = { url: server.url, method: 'GET', path, headers, body: undefined }
    const sizes: number[] = []
    // The heap size first stabilises and then varies by a few megabytes. It must not keep growing.
    for (const requests of [10_000, 50_000, 50_000, 50_000, 50_000]) {
      await measureRate(load, { pid, connections: 20, requests })
      sizes.push(readResidentMegabytes(pid))
    }
    const [first = 0, ...later] = sizes
    const last = later.pop() ?? 0
    return [
      toLine('memory of the server with agency, seeded and idle', resting, 150),
      toLine('memory of the server with agency after 10,000 requests', first, 190),
      {
        what: 'the same after 50,000 more, four times',
        measured: `${sizes.map((megabytes) => megabytes.toFixed(0)).join(', ')} MB`,
        budget: 'not growing',
        isKept: last - Math.max(...later) <= 10,
      },
    ]
  } finally {
    server.process.kill()
  }
}

function toLine(what: string, megabytes: number, budget: number): Line {
  return {
    what,
    measured: `${megabytes.toFixed(0)} MB`,
    budget: `<= ${budget} MB`,
    isKept: megabytes <= budget * slack,
  }
}

function readResidentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}
