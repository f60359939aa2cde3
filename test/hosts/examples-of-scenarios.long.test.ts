import { createSandbox } from 'creator-api-sandbox'
import type { ScenarioName } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import type { OpenApiDocument, Operation } from '../../src/openapi/document.ts'
import { shippedScenarios } from '../../src/generated/scenario-index.ts'
import { createRouting } from '../../src/hosts/server/routing.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'
import { listParameters, toExampleUrl } from '../support/example-requests.ts'

/** Routes that a server rejects because of its options or the size of its scenario. */
const refusals = [
  'GET /_sandbox/metrics: 404', // it needs --metrics
  'GET /_sandbox/snapshot: 413',
  'GET /_sandbox/scenario: 413',
  'POST /_sandbox/check: 413',
]

type Send = (request: { method: string; url: string; body?: unknown; key?: string }) => Promise<{
  status: number
  text: string
}>

/** Opens a server for a scenario, without listening on a port. */
async function open(scenario: ScenarioName): Promise<{ send: Send; key: string }> {
  const sandbox = createSandbox({ scenario })
  await sandbox.ready
  const site = createRouting(new ServedSandbox(sandbox), {})
  const send: Send = async ({ method, url, body, key }) => {
    const headers: Record<string, string> = {
      host: 'localhost',
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const text = body === undefined ? null : JSON.stringify(body)
    const reply = await site.handle({
      method,
      url,
      header: (name) => headers[name] ?? null,
      body: text,
    })
    return { status: reply.status, text: String(reply.body) }
  }
  return { send, key: sandbox.keys.owner }
}

/**
 * Converts an operation's example to a request, or returns undefined if a required value has no
 * example.
 */
function toRequest(
  document: OpenApiDocument,
  { method, path, operation }: { method: string; path: string; operation: Operation },
) {
  const parameters = listParameters(document, operation)
  const required = parameters.filter((parameter) => parameter.required)
  const content = operation.requestBody?.content['application/json']
  if (required.some(({ example }) => example === undefined)) return undefined
  if (operation.requestBody?.required === true && content?.example === undefined) return undefined
  return {
    method: method.toUpperCase(),
    url: toExampleUrl(path, parameters),
    body: content?.example,
  }
}

/** All scenarios with other data. The other stories begin with data like those of `launch-day`. */
const scenarios = shippedScenarios
  .filter(({ name, durationMs }) => durationMs === 0 || ['launch-day', 'bad-day'].includes(name))
  .map(({ name }) => name as ScenarioName)

it.each(scenarios)(
  'serves examples in both documents that work on a fresh server: %s',
  async (scenario) => {
    const { send, key } = await open(scenario)
    const refused: string[] = []
    for (const address of ['/openapi.json?responses=true', '/_sandbox/openapi.json']) {
      const { text } = await send({ method: 'GET', url: address })
      const document = JSON.parse(text) as OpenApiDocument
      for (const [path, item] of Object.entries(document.paths))
        for (const [method, operation] of Object.entries(item)) {
          const request = toRequest(document, { method, path, operation })
          if (request === undefined || path === '/_sandbox/events') continue
          const { status, text: answer } = await send({ ...request, key })
          const found = `${request.method} ${request.url}: ${status}`
          if (status !== 200 && !refusals.includes(found))
            refused.push(`${found} ${answer.slice(0, 200)}`)
          if (request.method !== 'GET' && request.method !== 'HEAD')
            await send({ method: 'POST', url: '/_sandbox/reset' })
        }
    }
    expect(refused).toEqual([])
  },
  300_000,
)
