import { expect, it } from 'vitest'
import { z } from 'zod'
import { platformTime } from '../../src/lib/fields.ts'
import { compareShapeWithSchema } from '../../src/verify/compare-shape.ts'
import { addToShape, createEmptyShape } from '../../src/verify/shape.ts'

const found = (schema: z.ZodType, ...values: unknown[]) =>
  compareShapeWithSchema(
    schema,
    values.reduce(
      (shape: ReturnType<typeof createEmptyShape>, value) => addToShape(shape, value),
      createEmptyShape(),
    ),
  )
const texts = (schema: z.ZodType, ...values: unknown[]) =>
  found(schema, ...values).findings.map(({ path, text }) => `${path ?? ''} ${text}`)

it.each([
  ['a fraction', z.object({ sum: z.int() }), { sum: 7.5 }, '$.sum is number, not integer'],
  [
    'a time',
    z.object({ at: platformTime }),
    { at: '2026-09-01 12:00:00' },
    '$.at has the format date-time',
  ],
  [
    'a bare list',
    z.object({ list: z.array(z.object({ id: z.int() })) }),
    [{ id: 1 }],
    '$ is the list itself, not an object with the list under list',
  ],
  ['an object', z.object({ text: z.string() }), { text: {} }, '$.text is object, not string'],
])('tells %s', (_, schema, value, text) => {
  expect(texts(schema, value)).toEqual([text])
})

it('does not report a rename if two pairs are possible', () => {
  const schema = z.object({ text: z.string(), rawText: z.string() })
  expect(texts(schema, { caption: 'a' })).toEqual([
    '$.text does not exist',
    '$.rawText does not exist',
    '$.caption is added: string',
  ])
})

it('reports fields that are sometimes missing, and fields that did not occur', () => {
  const schema = z.array(z.object({ id: z.int(), note: z.string().optional(), text: z.string() }))
  expect(texts(schema, [{ id: 1, text: 'a' }, { id: 2 }])).toEqual([
    '$[*].text is sometimes missing',
  ])
  expect(found(schema, [{ id: 1, text: 'a' }]).notSeen).toEqual(['$[*].note'])
  expect(found(schema, []).notSeen).toEqual(['$[*]'])
})

it('stores no field name that looks like a value', () => {
  const [finding] = found(z.object({}), {
    totals: { 'a@example.test': 1, '2026-09-01': 2 },
  }).findings
  expect(JSON.stringify(finding)).not.toMatch(/example|2026/)
})

it('accepts any key in a map', () => {
  expect(
    texts(z.record(z.string(), z.object({ id: z.int() })), { 7: { id: 7 }, eight: { id: '8' } }),
  ).toEqual(['$.* is integer or string, not integer'].map((text) => text.replace('$.*', '$.*.id')))
})
