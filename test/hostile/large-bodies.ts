import { spawn } from 'node:child_process'
import { largeValues } from '../support/large-bodies.ts'
import { measureSlowness } from './machine.ts'
import { startServer } from './server.ts'

/**
 * Maximum 99th percentile of the response time of `/health`, ms. A slower or busy machine has a
 * proportionally higher bound.
 */
const maxP99Ms = 100
/** Time during which another process requests `/health` after the bodies, ms. */
const measuredMs = 15_000

/**
 * Sends many accepted bodies of almost 1 MiB to one world of a server with warnings. Then another
 * process requests `/health`, while small requests keep the warnings due. Returns the 99th
 * percentile of its response time, ms.
 */
export async function sendLargeBodies(failures: string[]): Promise<number> {
  const server = await startServer(['--scenario', 'agency'], { isQuiet: false })
  const { keys, accounts } = (await (await fetch(`${server.url}/_sandbox/state`)).json()) as {
    keys: { key: string }[]
    accounts: { id: number }[]
  }
  const headers = { 'x-api-key': keys[0]?.key ?? '', 'content-type': 'application/json' }
  const url = `${server.url}/v1/${accounts[0]?.id}/posts`
  const [, , ids = '', fields = ''] = largeValues
  for (let count = 0; count < 20; count += 1)
    for (const unknown of [ids, fields]) {
      const body = `{"text":"Hello","unknown":${unknown}}`
      const { status } = await fetch(url, { method: 'POST', headers, body })
      if (status !== 200) failures.push(`A post with a large unknown key got ${status}.`)
    }
  const timer = setInterval(() => void fetch(`${url}?limt=1`, { headers }).catch(() => {}), 200)
  const p99 = await measureHealth(server.url)
  const max = maxP99Ms * measureSlowness()
  clearInterval(timer)
  await server.stop()
  if (p99 > max) failures.push(`p99 of /health after large bodies: ${Math.round(p99)} ms.`)
  return p99
}

/** Measures `/health` from another process, because this one is busy with its own requests. */
function measureHealth(url: string): Promise<number> {
  const script = `
    const times = []
    const end = performance.now() + ${measuredMs}
    while (performance.now() < end) {
      const start = performance.now()
      await (await fetch('${url}/health')).text()
      times.push(performance.now() - start)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    times.sort((a, b) => a - b)
    console.log(times[Math.floor(times.length * 0.99)])`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve) => child.stdout.once('data', (text) => resolve(Number(text))))
}
