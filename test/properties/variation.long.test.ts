import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Reply } from 'creator-api-sandbox'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { variationNames } from '../../src/world/variation-choice.ts'
import { createFreshSandbox } from '../support/client.ts'
import { generateRandomRequests, parseReply, sendRandomRequest } from '../support/requests.ts'
import { getRunOptions } from '../support/run-options.ts'

const document = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
) as object
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'document')
const toPointer = (part: string) =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

it('varies responses only within the published schemas', async () => {
  const sandbox = await createFreshSandbox('solo')
  sandbox.act({ type: 'limits.set', minute: 1_000_000_000, day: 1_000_000_000 })
  const choices = fc.record({
    seed: fc.nat(),
    only: fc.option(fc.subarray([...variationNames], { minLength: 1 }), { nil: undefined }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(generateRandomRequests(sandbox), { minLength: 25, maxLength: 25 }),
      choices,
      async (requests, { seed, only }) => {
        sandbox.act({ type: 'variation.set', seed, only, delay_ms: 0 })
        for (const request of requests) {
          const reply = await sendRandomRequest(sandbox, request)
          // HEAD responses have no body.
          if (reply.body === null) continue
          if (reply.status >= 400) expect(parseReply(reply)).toEqual({ error: expect.any(String) })
          else expectPublished(reply, sandbox.requests[0]!.route, JSON.stringify({ seed, only }))
        }
      },
    ),
    getRunOptions(6, 60),
  )
})

function expectPublished(reply: Reply, route: string | null, choice: string): void {
  if (route === null || reply.headers['content-type']?.startsWith('application/json') !== true)
    return
  const [method = '', path = ''] = route.split(' ')
  const parts = ['paths', path.replaceAll(/:(\w+)/g, '{$1}'), method.toLowerCase()]
  const place = [...parts, 'responses', '200', 'content', 'application/json', 'schema']
    .map(toPointer)
    .join('/')
  const validate = ajv.getSchema(`document#/${place}`)
  expect(
    validate?.(parseReply(reply)),
    `${route} ${choice}: ${ajv.errorsText(validate?.errors)}`,
  ).toBe(true)
}
