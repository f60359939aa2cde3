import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parsingJson } from '../../src/control/json-in-units.ts'
import { finish } from '../../src/engine/work.ts'

/** White space makes a text long enough to be read in units. */
const padding = ' '.repeat(300_000)

it('reads a large text as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      expect(finish(parsingJson(text + padding))).toEqual(JSON.parse(text))
    }),
  )
})

it('refuses what JSON.parse refuses', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.nat(), fc.constantFrom('', '"', '[', '}', ',', ':', '\\', 'x', '1'), (text, at, put) => {
      const place = at % (text.length + 1)
      const broken = text.slice(0, place) + put + text.slice(place + 1)
      expect(outcomeOf(() => finish(parsingJson(broken + padding)))).toEqual(outcomeOf(() => JSON.parse(broken)))
    }),
  )
})

it('pauses between the records of tables', () => {
  const text = JSON.stringify({ tables: { posts: Array.from({ length: 5000 }, (_, id) => ({ id, text: `"${'é'.repeat(100)}\\` })) } })
  const work = parsingJson(text)
  let pauses = 0
  for (let step = work.next(); step.done !== true; step = work.next()) pauses += 1
  expect(pauses).toBeGreaterThan(5)
})

function outcomeOf(parse: () => unknown): unknown {
  try {
    return { value: parse() }
  } catch (error) {
    return (error as Error).name
  }
}
