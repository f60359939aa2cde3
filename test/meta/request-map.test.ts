import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { createSandbox } from 'creator-api-sandbox'
import { expect, it } from 'vitest'

const page = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8')

/** Returns the functions listed under a heading of the page, such as `api/admission.ts throttle`. */
function listFunctionsUnder(heading: string): string[] {
  const [, list = ''] = page.split(`## ${heading}\n`)[1]?.split('```') ?? []
  return list
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [file = '', names = ''] = line.split(/ {2,}/)
      return names.split(', ').map((name) => `${file} ${name}`)
    })
}

it('lists the functions that a request and an action execute after warm-up, in order', async () => {
  using sandbox = createSandbox({ scenario: 'solo' })
  await sandbox.ready
  const url = `${sandbox.baseUrl}/v1/${sandbox.accounts[0]?.id}/posts?limit=1`
  const headers = { authorization: `Bearer ${sandbox.keys.owner}` }
  const read = async () => expect((await sandbox.fetch(url, { headers })).status).toBe(200)
  const tip = async () => expect(sandbox.act({ type: 'tip' }).type).toBe('tip')
  const calls = [
    { listed: listFunctionsUnder('How a request is processed'), call: read },
    { listed: listFunctionsUnder('How an action is processed'), call: tip },
  ]
  for (const { call } of calls) await call()

  const handler = calls[0]?.listed.findIndex((name) => name.endsWith(' handle'))
  expect(handler).toBeLessThan(12)
  expect(await traceCalls(calls)).toEqual(calls.map(({ listed }) => listed))
})

/**
 * Runs each call twice. In the first run, coverage shows where the listed functions start. In the
 * second run, a logpoint at each start (a breakpoint whose condition is never true) records their
 * order.
 */
async function traceCalls(
  calls: readonly { listed: readonly string[]; call: () => Promise<void> }[],
): Promise<string[][]> {
  const scope = globalThis as { onFunction?: (name: string) => unknown }
  const session = new Session()
  session.connect()
  try {
    await session.post('Debugger.enable')
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    for (const { call } of calls) await call()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    await session.post('Profiler.stopPreciseCoverage')
    for (const name of new Set(calls.flatMap(({ listed }) => listed))) {
      const [file, path = ''] = name.split(' ')
      const script = result.find((each) => each.url.endsWith(`/src/${file}`))
      const found = script?.functions.find(
        ({ functionName, ranges }) =>
          functionName === path.split('.').at(-1) && ranges.some(({ count }) => count > 0),
      )
      if (script === undefined || found === undefined) continue
      const { scriptId } = script
      const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId })
      const lines = scriptSource.slice(0, found.ranges[0]?.startOffset).split('\n')
      const start = {
        scriptId,
        lineNumber: lines.length - 1,
        columnNumber: lines.at(-1)?.length ?? 0,
      }
      const { locations } = await session.post('Debugger.getPossibleBreakpoints', {
        start,
        restrictToFunction: true,
      })
      const [location] = locations
      const condition = `globalThis.onFunction?.(${JSON.stringify(name)}), false`
      if (location !== undefined)
        await session.post('Debugger.setBreakpoint', { location, condition })
    }
    const traces: string[][] = []
    for (const { listed, call } of calls) {
      const ran = new Set<string>()
      scope.onFunction = (name) => listed.includes(name) && ran.add(name)
      await call()
      traces.push([...ran])
    }
    return traces
  } finally {
    delete scope.onFunction
    session.disconnect()
  }
}
