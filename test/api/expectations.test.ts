import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { describeExpectedValues } from '../../src/api/expected-values.ts'
import { refusal } from '../support/control.ts'
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
  const orders =
    'publish_date_desc, publish_date_asc, favorites_count_desc, tips_summ_desc, tips_summ_asc'

  it.each<[string, string]>([
    ['posts?limit=0', 'limit is "0", but it must be an integer of at least 1.'],
    ['posts?order=best', `order is "best", but it must be one of ${orders}.`],
    ['vault/media/hash?h=d41d8cd98f00b204e9800998ecf8427e', 'size is missing, but it must be an '],
    ['fans', 'ids is missing, but it must be 1 to 1000 comma-separated user ids.'],
  ])('of GET %s names the allowed values', async (path, text) => {
    const client = await openClient()
    expect(await client.get(path)).toMatchObject(refusal(400, `Query parameter ${text}`))
  })

  it.each<[string, unknown, string]>([
    ['posts', { text: 5 }, 'text is 5, but it must be a string.'],
    ['posts', [], 'body is an array of 0, but it must be an object.'],
    ['posts', {}, 'text is missing, but it must be a string.'],
    ['posts', { text: 'a', expireDays: 1e300 }, 'expireDays is 1e+300, but it must be at most 30.'],
    ['posts', { text: 'a', mediaFiles: ['7'] }, 'mediaFiles.0 is "7", but it must be an integer.'],
    ['users/1/lists', { listIds: ['regulars'] }, `listIds.0 is "regulars", but ${lists}`],
    ['users/1/lists', { listIds: [1.5] }, `listIds.0 is 1.5, but ${lists}`],
    ['users/1/lists', { listIds: [] }, 'listIds is an array of 0, but it must have at least 1'],
    [
      '/v1/fans',
      { account_ids: [100_200_300], total_spend: { min: 5, max: 1 } },
      'total_spend.min is 5, but it must not be above max (1).',
    ],
  ])('of POST %s with %j names the allowed values', async (path, body, text) => {
    const client = await openClient()
    expect(await client.post(path, body)).toMatchObject(refusal(400, `Body field ${text}`))
  })

  it.each<[string, object, string]>([
    ['tracking-links/1', { note: 5 }, 'note is 5, but it must be a string, or null.'],
    ['tracking-links/1', { promo_cost: -1 }, 'is -1, but it must be at least 0, or null.'],
    ['tracking-links/1', { note: 'x'.repeat(20_000) }, 'or be null.'],
    ['fm/fans/1/name', {}, 'Body field name is missing, but it must be a string, or null.'],
    ['fm/fans/1/metadata', { birthday: 'May' }, 'it must be a date as YYYY-MM-DD, or null.'],
  ])('of PATCH %s with %j says that null is allowed', async (path, body, text) => {
    const client = await openClient()
    expect(await client.patch(path, body)).toMatchObject(refusal(400, text))
  })
})
