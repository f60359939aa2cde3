import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { describeExpectedValues } from '../../src/api/expected-values.ts'
import { routes } from '../../src/resources/all-resources.ts'
import { openControlClient } from '../support/control.ts'
import { openClient } from '../support/client.ts'

const lists = 'it must be an integer or one of fans, following, friends, muted, recent, tagged.'

it('describes the allowed values without listing the sent fields, which may be many', () => {
  const schema = z.object({ inner: z.object({ amount: z.int().nullable() }) })
  const lists = { count: 0 }
  const watched = <Value extends object>(value: Value) =>
    new Proxy(value, { ownKeys: (own) => ((lists.count += 1), Reflect.ownKeys(own)) })
  const value = watched({ inner: watched({ amount: 'x' }) })
  const [issue] = schema.safeParse(value).error!.issues
  expect(describeExpectedValues(issue!, 'x', { schema, value, place: 'Body field' })).toBe(
    'it must be an integer, or null',
  )
  expect(lists.count).toBe(0)
})

describe('the message of a 400', () => {
  it.each<[string, string, unknown, string]>([
    [
      'POST',
      'posts',
      { text: 'a', expireDays: 1e300 },
      'Body field expireDays is 1e+300, but it must be at most 30.',
    ],
    [
      'POST',
      'posts',
      { text: 'a', mediaFiles: ['7'] },
      'Body field mediaFiles.0 is "7", but it must be an integer.',
    ],
    [
      'POST',
      'users/1/lists',
      { listIds: ['regulars'] },
      `Body field listIds.0 is "regulars", but ${lists}`,
    ],
    ['POST', 'users/1/lists', { listIds: [1.5] }, `Body field listIds.0 is 1.5, but ${lists}`],
    [
      'POST',
      'users/1/lists',
      { listIds: [] },
      'Body field listIds is an array of 0, but it must have at least 1 item.',
    ],
    [
      'PATCH',
      'tracking-links/1',
      { note: 5 },
      'Body field note is 5, but it must be a string, or null.',
    ],
    [
      'PATCH',
      'tracking-links/1',
      { promo_cost: -1 },
      'Body field promo_cost is -1, but it must be at least 0, or null.',
    ],
    ['PATCH', 'tracking-links/1', { note: 'x'.repeat(20_000) }, 'or be null.'],
    [
      'PATCH',
      'fm/fans/1/name',
      {},
      'Body field name is missing, but it must be a string, or null.',
    ],
    [
      'PATCH',
      'fm/fans/1/metadata',
      { birthday: 'May' },
      'Body field birthday is "May", but it must be a date as YYYY-MM-DD, or null.',
    ],
    [
      'GET',
      'vault/media/hash?h=d41d8cd98f00b204e9800998ecf8427e',
      undefined,
      'Query parameter size is missing, but it must be an integer of at least ',
    ],
    [
      'GET',
      'fans',
      undefined,
      'Query parameter ids is missing, but it must be 1 to 1000 comma-separated user ids.',
    ],
  ])('of %s %s with %j names the allowed values', async (method, path, body, text) => {
    const client = await openClient()
    const answer = await client.send(method, `${path}`, body === undefined ? {} : { body })
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(text)])
  })

  it('names both ends of a reversed range', async () => {
    const client = await openClient()
    const { status, body } = await client.post('/v1/fans', {
      account_ids: [client.account()],
      total_spend: { min: 5, max: 1 },
    })
    expect([status, body.error]).toEqual([
      400,
      'Body field total_spend.min is 5, but it must not be above max (1).',
    ])
  })
})

it('never shows a message of the schema library in a 400', async () => {
  const { sandbox, ask } = await openControlClient()
  const headers = { 'x-api-key': sandbox.keys['owner']! }
  const account = sandbox.db.accounts.all()[0]!.id
  for (const route of routes) {
    if (route.body === null || route.fileLimit !== undefined) continue
    const path = route.path.replace(':account_id', String(account)).replace(/:\w+/g, '1')
    const { properties = {} } = z.toJSONSchema(route.body, { io: 'input', unrepresentable: 'any' })
    for (const name of Object.keys(properties)) {
      for (const value of [0.5, 'x', true, null, [[]], { min: 'x' }]) {
        const { status, body } = await ask(route.method, path, {
          headers,
          body: { account_ids: [account], name: 'n', text: 't', ids: [1], [name]: value },
        })
        if (status === 400)
          expect([path, name, value, body.error]).toEqual([
            path,
            name,
            value,
            expect.not.stringMatching(/Invalid|expected|received|undefined|NaN/),
          ])
      }
    }
  }
})
