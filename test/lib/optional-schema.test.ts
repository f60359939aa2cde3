import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createOptionalSchema } from '../../src/lib/schema-parts.ts'

it('creates the schema of an optional field only if the field is given', () => {
  const make = vi.fn(() => z.object({ posts: z.int() }))
  const Options = z.strictObject({
    seed: z.int().default(1),
    data: createOptionalSchema(make).describe('Sizes.'),
  })
  expect(Options.parse({})).toEqual({ seed: 1 })
  expect(make).not.toHaveBeenCalled()
  expect(Options.parse({ data: { posts: 2 } })).toEqual({ seed: 1, data: { posts: 2 } })
  expect(Options.safeParse({ data: { posts: 'two' } }).error?.issues[0]?.path).toEqual([
    'data',
    'posts',
  ])
  expect(make).toHaveBeenCalledOnce()
})
