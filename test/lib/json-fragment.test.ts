import { expect, it, vi } from 'vitest'
import { JsonFragment, toJson } from '../../src/lib/json-fragment.ts'

it.each([
  ['a whole', (row: unknown) => row],
  ['a field', (row: unknown) => ({ before: 1, row, after: undefined, last: [1, { a: 'ü' }] })],
  ['the rows of a list', (row: unknown) => ({ list: [row, row], hasMore: false })],
  ['the fields of a map', (row: unknown) => ({ users: { 4294967295: row, 2: row } })],
  ['a field of a row', (row: unknown) => ({ list: [{ row }] })],
  [
    'a row made of fragments',
    (row: unknown) =>
      row instanceof JsonFragment ? new JsonFragment({ rows: [row], row }) : { rows: [row], row },
  ],
])('writes a fragment that is %s like JSON.stringify', (_what, wrap) => {
  const row = { id: 1, text: 'Grüße 💥 "quoted"' }
  const body = toJson('{"data":', wrap(new JsonFragment(row)), '}')
  const text = typeof body === 'string' ? body : Buffer.concat(body).toString()
  expect(text).toBe(`{"data":${JSON.stringify(wrap(row))}}`)
})

it('replaces only the last occurrence of a placeholder', () => {
  const row = { note: 'hh:mm ü', at: 'hh:mm' }
  const fragment = new JsonFragment(row)
  const read = (each: JsonFragment) => JSON.parse(JSON.stringify([each]))[0]
  expect(read(fragment.replaceLast('hh:mm', '09:30'))).toEqual({ note: 'hh:mm ü', at: '09:30' })
  expect(read(fragment)).toEqual(row)
  expect(fragment.replaceLast('absent', '09:30:')).toBe(fragment)
})

it('copies the bytes of a row only if it contains fragments', () => {
  const copy = vi.spyOn(Uint8Array.prototype, 'set')
  const part = new JsonFragment({ id: 1 })
  expect(new JsonFragment<unknown>(part.bytes).bytes).toBe(part.bytes)
  expect(copy).not.toHaveBeenCalled()
  expect(JSON.stringify(new JsonFragment<unknown>({ part }))).toBe('{"part":{"id":1}}')
  expect(copy).toHaveBeenCalled()
})
