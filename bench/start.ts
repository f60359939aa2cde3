import { execFileSync } from 'node:child_process'
import { raiseRateLimits, startBuiltServer } from './http.ts'
import { slack, summariseTimes } from './measure.ts'
import type { Line } from './measure.ts'

const rounds = 7

/** Measures the start of the built library and of the built server, each in new processes. */
export async function benchStart(): Promise<Line[]> {
  const load = measureLibrary('empty')
  const solo = measureLibrary('solo')
  const agency = measureLibrary('agency')
  const server = await measureServer('agency')
  const large = await measureServer('large')
  return [
    toLine('importing the library, CPU time', load.importMs, 200),
    toLine('first page of solo, with the import, CPU time', solo.pageMs, 350),
    toLine('first page of agency, with the import, CPU time', agency.pageMs, 700),
    toLine('server from start to the first 200 of /health', server.healthMs, 250),
    toLine('server from start to the first page, agency', server.pageMs, 800),
    toLine('server from start to the first page, large', large.pageMs, 10_000),
  ]
}

function toLine(what: string, ms: number, budgetMs: number): Line {
  return {
    what,
    measured: `${ms.toFixed(0)} ms`,
    budget: `<= ${budgetMs} ms`,
    isKept: ms <= budgetMs * slack,
  }
}

/** Measures the processor time until the library is imported, and until it answers a page. */
function measureLibrary(scenario: string): { importMs: number; pageMs: number } {
  const library = new URL('../dist/index.js', import.meta.url).href
  const script = `
    const before = process.cpuUsage()
    const read = () => { const { user, system } = process.cpuUsage(before); return (user + system) / 1000 }
    const { createSandbox } = await import(${JSON.stringify(library)})
    const importMs = read()
    const sandbox = createSandbox({ scenario: '${scenario}' })
    await sandbox.ready
    const url = \`\${sandbox.baseUrl}/v1/\${sandbox.accounts[0].id}/posts\`
    await (await sandbox.fetch(url, { headers: { 'x-api-key': sandbox.keys.owner } })).text()
    console.log(JSON.stringify({ importMs, pageMs: read() }))`
  const runs = Array.from(
    { length: rounds },
    () =>
      JSON.parse(
        execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }),
      ) as { importMs: number; pageMs: number },
  )
  return {
    importMs: summariseTimes(runs.map(({ importMs }) => importMs)).median,
    pageMs: summariseTimes(runs.map(({ pageMs }) => pageMs)).median,
  }
}

/** Measures the time until a server listens, and until it answers a page. */
async function measureServer(scenario: string): Promise<{ healthMs: number; pageMs: number }> {
  const [health, pages]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now()
    const server = await startBuiltServer('--scenario', scenario)
    await (await fetch(`${server.url}/health`)).text()
    health.push(performance.now() - start)
    const { headers, path } = await raiseRateLimits(server.url)
    const page = await fetch(server.url + path, { headers })
    if (!page.ok) throw new Error(`the first page is ${page.status}: ${await page.text()}`)
    pages.push(performance.now() - start)
    server.process.kill()
  }
  return { healthMs: summariseTimes(health).median, pageMs: summariseTimes(pages).median }
}
