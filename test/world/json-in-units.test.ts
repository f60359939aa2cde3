import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseHead, parsingJson } from '../../src/world/snapshot/json-in-units.ts'
import { finish } from '../../src/world/work.ts'

/** White space makes a text long enough to be read in units. */
const padding = ' '.repeat(300_000)

it('reads a large text like JSON.parse', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      expect(finish(parsingJson(text + padding))).toEqual(JSON.parse(text))
    }),
  )
})

it('reads a text in pieces like JSON.parse, and rejects the same texts', () => {
  const damage = fc.option(
    fc.tuple(fc.nat(), fc.constantFrom('', '"', '[', '}', ',', ':', '\\', 'x', '1')),
  )
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 5 }),
      fc.integer({ min: 1, max: 9 }),
      damage,
      (whole, length, broken) => {
        const [at, put] = broken ?? [whole.length, '']
        const place = at % (whole.length + 1)
        const text = whole.slice(0, place) + put + whole.slice(place + 1)
        expect(outcomeOf(() => finish(parsingJson(inPieces(text, length))))).toEqual(
          outcomeOf(() => JSON.parse(text)),
        )
      },
    ),
  )
})

it('reads only the pieces that the head needs, and closes their source', () => {
  let [taken, isClosed] = [0, false]
  const pieces = {
    *[Symbol.iterator]() {
      try {
        for (const piece of ['{"seed"', ':1,"tab', 'les":{', '"posts":', '[]}}']) {
          taken += 1
          yield piece
        }
      } finally {
        isClosed = true
      }
    },
  }
  expect(parseHead(pieces, 'tables')).toEqual({ seed: 1 })
  expect({ taken, isClosed }).toEqual({ taken: 3, isClosed: true })
})

it('rejects the same texts as JSON.parse', () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 4 }),
      fc.nat(),
      fc.constantFrom('', '"', '[', '}', ',', ':', '\\', 'x', '1'),
      (text, at, put) => {
        const place = at % (text.length + 1)
        const broken = text.slice(0, place) + put + text.slice(place + 1)
        expect(outcomeOf(() => finish(parsingJson(broken + padding)))).toEqual(
          outcomeOf(() => JSON.parse(broken)),
        )
      },
    ),
  )
})

it('pauses between the records of tables', () => {
  const text = JSON.stringify({
    tables: {
      posts: Array.from({ length: 5000 }, (_, id) => ({ id, text: `"${'é'.repeat(100)}\\` })),
    },
  })
  const work = parsingJson(text)
  let pauses = 0
  for (let step = work.next(); step.done !== true; step = work.next()) pauses += 1
  expect(pauses).toBeGreaterThan(5)
})

it('replaces the records of tables, and nothing else', () => {
  const snapshot = {
    seed: 1,
    tables: { posts: [{ id: 1, labels: [{ id: 9 }] }, { id: 2 }], fans: [{ id: 3 }] },
    worldState: { a: { b: 1 } },
  }
  const kept = { id: 2 }
  const asked: string[] = []
  const read = finish(
    parsingJson(JSON.stringify(snapshot) + padding, (keys, value) => {
      asked.push(`${keys.join('.')} ${(value as { id: number }).id}`)
      return (value as { id: number }).id === 2 ? kept : value
    }),
  ) as typeof snapshot
  expect(asked).toEqual(['tables.posts 1', 'tables.posts 2', 'tables.fans 3'])
  expect(read).toEqual(snapshot)
  expect(read.tables.posts[1]).toBe(kept)
})

it.each([
  ['{"seed":1,"worldState":{"a":[1]},"tables":{', { seed: 1, worldState: { a: [1] } }],
  ['{"tables":{', {}],
  ['{"seed":1}', undefined],
  ['[1]', undefined],
])('reads the text before an entry: %s', (text, head) => {
  expect(parseHead(text + padding, 'tables')).toEqual(head)
  // A short text is parsed at once.
  expect(parseHead(text, 'tables')).toBeUndefined()
})

it.each(['{', '{"seed":1,', '{"seed" 1', '{1:2}', '{"seed":x,"tables":{'])(
  'rejects a malformed head: %s',
  (text) => {
    expect(() => parseHead(text + padding, 'tables')).toThrow(SyntaxError)
  },
)

function inPieces(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  )
}

function outcomeOf(parse: () => unknown): unknown {
  try {
    return { value: parse() }
  } catch (error) {
    return (error as Error).name
  }
}
