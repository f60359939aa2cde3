import { expect, it } from 'vitest'
import { z } from 'zod'
import { copyRoute, nothing, createRouteDefiner } from '../../src/api/route.ts'

const declare = () => {
  const made: string[] = []
  const note = <Schema extends z.ZodType>(name: string, schema: Schema) => {
    made.push(name)
    return schema
  }
  const route = createRouteDefiner<object>({ group: 'Songs', kind: 'service' })({
    id: 'POST /v1/:account_id/songs/:song_id',
    permission: null,
    summary: 'Change a song',
    params: () => note('params', z.object({ song_id: z.int() })),
    body: () => note('body', z.object({ title: z.string() })),
    data: z.object({ title: z.string() }),
    handle: ({ body: { title } }) => ({ title }),
  })
  return { route, made }
}

it('creates a schema only once, on first use', () => {
  const { route, made } = declare()
  expect(made).toEqual([])
  expect(route.params).toBe(route.params)
  expect(made).toEqual(['params'])
  expect(route.body?.safeParse({ title: 'Blue' }).success).toBe(true)
  expect(made).toEqual(['params', 'body'])
})

it('accepts no input if none is declared', () => {
  const { route } = declare()
  expect(route.query).toBe(nothing)
})

it('copies a route without creating its schemas', () => {
  const { route, made } = declare()
  const other = copyRoute(route, {
    path: '/v1/:account_id/tunes/:song_id',
    summary: 'Change a tune',
  })
  expect(made).toEqual([])
  expect({ id: other.id, summary: other.summary, path: other.path }).toEqual({
    id: route.id,
    summary: 'Change a tune',
    path: '/v1/:account_id/tunes/:song_id',
  })
  expect(other.params).toBe(route.params)
  expect(made).toEqual(['params'])
})
