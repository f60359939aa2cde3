import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { variationNames } from '../../src/world/variation-choice.ts'
import { openClient, sendAsOwner } from '../support/client.ts'

/**
 * The published document with only a few of its routes, because compiling all of them takes
 * seconds. properties/variation.long.test.ts compiles them all.
 */
const { components, paths } = JSON.parse(
  readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'),
)
const ajv = new Ajv2020({ strict: false, validateFormats: false })

it('returns responses within the published schemas, with each variation and with all of them', async () => {
  const { sandbox } = await openClient()
  const account = sandbox.db.accounts.all()[0]!.id
  const post = sandbox.db.posts.where({ accountId: account })[0]!.id
  const media = sandbox.db.vaultMedia.where({ accountId: account })[0]!.id
  const fan = sandbox.db.transactions.where({ accountId: account })[0]!.fanId
  const requests = [
    ['GET', '/v1/{account_id}/posts', `/v1/${account}/posts?limit=5`],
    ['GET', '/v1/{account_id}/posts', `/v1/${account}/posts?limit=100`],
    ['GET', '/v1/{account_id}/posts/{post_id}/stats', `/v1/${account}/posts/${post}/stats`],
    ['GET', '/v1/{account_id}/posts/{post_id}/comments', `/v1/${account}/posts/${post}/comments`],
    ['GET', '/v1/{account_id}/vault/media/{media_id}', `/v1/${account}/vault/media/${media}`],
    ['GET', '/v1/{account_id}/fans', `/v1/${account}/fans?ids=${fan}`],
    ['POST', '/v1/fans/{fan_id}/transactions', `/v1/fans/${fan}/transactions`],
    ['POST', '/v1/fans/{fan_id}/stats', `/v1/fans/${fan}/stats`],
  ] as const
  const checks = new Map(
    requests.map(([method, path]) => {
      const { schema } =
        paths[path][method.toLowerCase()].responses['200'].content['application/json']
      return [path, ajv.compile({ ...schema, components })]
    }),
  )
  for (const only of [...variationNames.map((name) => [name]), undefined]) {
    sandbox.act({ type: 'variation.set', only, delay_ms: 0 })
    for (const [method, path, url] of requests) {
      const sent = method === 'POST' ? { account_ids: [account] } : undefined
      const { status, body } = await sendAsOwner(sandbox, method, url, sent)
      const validate = checks.get(path)
      expect(status).toBe(200)
      expect(validate?.(body), `${path} ${only}: ${ajv.errorsText(validate?.errors)}`).toBe(true)
    }
  }
})
