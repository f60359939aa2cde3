import type { Sandbox } from '../src/index.ts'
import { addResponseExamples } from '../src/openapi/response-examples.ts'
import { addExamples } from '../src/openapi/examples.ts'
import { createOpenApi } from '../src/openapi/openapi.ts'
import { routes } from '../src/resources/all-routes.ts'
import { slack } from './measure.ts'
import type { Line } from './measure.ts'
import { createUnlimitedSandbox } from './sandboxes.ts'
import type { Built } from './sandboxes.ts'

/** Maximum CPU time of an operation in a scenario, ms. */
const budgets = { agency: 250, large: 1_000 } as const
/** Maximum total CPU time for all examples in the OpenAPI document, ms. */
const documentMs = 1_000

/** A request and its CPU time, ms. */
interface TimedRequest {
  what: string
  ms: number
}

/**
 * Measures every operation with its examples from the OpenAPI document. No operation may block the
 * other worlds of a server for long.
 */
export async function benchOperations({
  createSandbox,
}: Pick<Built, 'createSandbox'>): Promise<Line[]> {
  const lines: Line[] = []
  for (const [scenario, budgetMs] of Object.entries(budgets)) {
    const timed = await timeOperations(await createUnlimitedSandbox(createSandbox, scenario))
    const [slowest = { what: 'none', ms: Infinity }] = timed.toSorted((a, b) => b.ms - a.ms)
    const totalMs = timed.reduce((sum, { ms }) => sum + ms, 0)
    lines.push(
      {
        what: `slowest operation on ${scenario}`,
        measured: `${slowest.ms.toFixed(0)} ms (${slowest.what})`,
        budget: `<= ${budgetMs} ms`,
        isKept: slowest.ms <= budgetMs * slack,
      },
      {
        what: `all examples of the OpenAPI document on ${scenario}`,
        measured: `${totalMs.toFixed(0)} ms`,
        budget: `<= ${documentMs} ms`,
        isKept: totalMs <= documentMs * slack,
      },
    )
  }
  return lines
}

/** Sends the examples of all operations, each to a fork of the sandbox. */
async function timeOperations(sandbox: Sandbox): Promise<TimedRequest[]> {
  const timed: TimedRequest[] = []
  const document = createOpenApi(routes, { baseUrl: sandbox.baseUrl })
  await addResponseExamples(addExamples(document, routes, sandbox.control), routes, () => {
    const copy = sandbox.fork()
    return {
      control: copy.control,
      async handle(call) {
        const before = process.cpuUsage()
        const reply = await copy.handle(call)
        const { user, system } = process.cpuUsage(before)
        timed.push({ what: `${call.method} ${call.url}`, ms: (user + system) / 1_000 })
        return reply
      },
    }
  })
  return timed
}
