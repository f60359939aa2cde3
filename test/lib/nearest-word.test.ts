import { expect, it } from 'vitest'
import { findNearestWord } from '../../src/lib/nearest-word.ts'

it.each([
  ['limt', 'limit'],
  ['LIMIT', 'limit'],
  ['pageSize', 'page_size'],
  ['page-size', 'page_size'],
  ['offsets', 'offset'],
  ['quite another', undefined],
  ['', undefined],
  ['-', undefined],
])('finds the nearest name for %j, in any case and punctuation', (written, meant) => {
  expect(findNearestWord(['offset', 'limit', 'page_size', '*'], written)).toBe(meant)
})
