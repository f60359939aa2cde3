import { Ajv2020 } from 'ajv/dist/2020.js'
import { createSandbox } from 'creator-api-sandbox'
import { readOverlay } from 'creator-api-sandbox/overlay'
import { expect, it } from 'vitest'
import { variationNames } from '../../src/world/variation-choice.ts'
import { sendAsOwner } from '../support/client.ts'
import type { Route } from '../../src/api/route.ts'
import { createOpenApi } from '../../src/openapi/openapi.ts'

const overlay = await readOverlay({
  routes: {
    'GET /v1/:account_id/posts': {
      path: '/v1/:account_id/feed',
      query: { '$.limit': { rename: 'size', maximum: 6, clamp: true } },
      answer: {
        '$.list': { rename: 'rows' },
        '$.list[*].id': { type: 'string' },
        '$.list[*].text': { rename: 'caption' },
        '$.list[*].postedAt': { format: 'epoch-seconds' },
        '$.list[*].isNew': { add: 'boolean' },
        '$.list[*].rawText': { nullable: true },
      },
    },
    'GET /v1/:account_id/vault/media': {
      query: { '$.offset': { rename: 'skip' } },
      answer: { '$.list': { wrap: 'items' }, '$.list[*].id': { rename: 'media_id' } },
    },
    'GET /v1/tags': { answer: { $: { wrap: 'tags' } } },
  },
})

/** The lists. Each has its path, its page parameters, and the path of the rows in the response. */
const lists = [
  ['/v1/{account_id}/feed', 'size=4', ({ data }: Page) => data.rows],
  ['/v1/{account_id}/vault/media', 'limit=5', ({ data }: Page) => data.list.items],
  ['/v1/tags', '', ({ data }: Page) => data.tags],
] as const

interface Page {
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any
  _pagination?: { next_page: string | null }
}

it('varies the responses of an overlay within its limits', async () => {
  const sandbox = createSandbox({ scenario: 'solo', overlay })
  await sandbox.ready
  const account = sandbox.db.accounts.all()[0]?.id
  const { components, paths } = createOpenApi(
    (overlay.routes as readonly Route[]).filter(({ path }) =>
      lists.some(([listed]) => listed === path.replace(':account_id', '{account_id}')),
    ),
    { baseUrl: sandbox.baseUrl },
  )
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  for (const [index, [path, query, rowsOf]] of lists.entries()) {
    // oxlint-disable-next-line typescript/no-explicit-any
    const { schema } = ((paths[path]?.['get'] ?? {}) as any).responses['200'].content[
      'application/json'
    ]
    const validate = ajv.compile({ ...schema, components })
    const read = async (only?: readonly string[]) => {
      let rows = 0
      let next: string | null | undefined =
        `${path.replace('{account_id}', String(account))}?${query}`
      for (let page = 0; next && page < 40; page += 1) {
        const { status, body }: { status: number; body: Page } = await sendAsOwner(
          sandbox,
          'GET',
          next,
        )
        expect(status, JSON.stringify(body)).toBe(200)
        expect(validate(body), `${path} ${only}: ${ajv.errorsText(validate.errors)}`).toBe(true)
        rows += rowsOf(body).length
        next = body._pagination?.next_page
      }
      return rows
    }
    sandbox.act({ type: 'variation.set', seed: null })
    const plain = await read()
    // Tests each variation with the first list, and all variations together with every other list.
    for (const only of [...(index === 0 ? variationNames.map((name) => [name]) : []), undefined]) {
      sandbox.act({ type: 'variation.set', only, delay_ms: 0 })
      expect([path, only, await read(only)]).toEqual([path, only, plain])
    }
  }
})
