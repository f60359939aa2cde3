import { expect, it } from 'vitest'
import { formatPrice } from '../../src/lib/money.ts'
import { includesIgnoringCase, toHtml, toPlainText } from '../../src/lib/text.ts'

it.each([
  ['<p>Hello</p>', 'Hello'],
  ['<p>One<br />two</p><p>three</p>', 'One\ntwo\nthree'],
  ['a &amp; b &lt;3 &#128149; &#x1F495;', 'a & b <3 💕 💕'],
  ['2 < 3 and 5 > 4', '2 < 3 and 5 > 4'],
  ['<a href="https://example.test">link</a> &unknown; &#0;', 'link &unknown; &#0;'],
])('reads the plain text of %j', (html, text) => {
  expect(toPlainText(html)).toBe(text)
})

it('parses its own output', () => {
  const text = 'Tom & "Ann" <3\nשלום 🎉'
  expect(toPlainText(toHtml(text))).toBe(text)
})

it.each([
  [0, '$0.00'],
  [5, '$5.00'],
  [1234.5, '$1,234.50'],
  [1_234_567.89, '$1,234,567.89'],
])('writes %d dollars', (dollars, text) => {
  expect(formatPrice(dollars)).toBe(text)
})

it.each([
  ['STRASSE', 'straße'],
  ['Straße', 'STRASSE'],
  ['ẞ', 'ß'],
  ['İzmir', 'i'],
])('finds in %j, ignoring case, %j', (text, part) => {
  expect(includesIgnoringCase(text, part)).toBe(true)
})
