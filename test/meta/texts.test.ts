import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readPersona, readTexts } from '../../scripts/generate-texts.ts'
import { toLiteral } from '../../scripts/typescript-literal.ts'
import { seedTexts } from '../../src/generated/texts/index.ts'
import { seedTextSchemas } from '../../src/seed/seed-texts.ts'

const kinds = Object.keys(seedTextSchemas) as (keyof typeof seedTextSchemas)[]
const source = new URL('../../src/', import.meta.url)
const readFixture = (kind: string) =>
  readFileSync(new URL(`../../fixtures/texts/${kind}.yaml`, import.meta.url), 'utf8')

it('contains each kind of text exactly as in its file', () => {
  const files = kinds.map((kind) => kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
  expect(readdirSync(new URL('../../fixtures/texts/', import.meta.url)).toSorted()).toEqual(
    files.map((file) => `${file}.yaml`).toSorted(),
  )
  for (const [index, kind] of kinds.entries())
    expect(seedTexts[kind]).toEqual(readTexts(kind, readFixture(files[index]!)))
})

it.each([
  ['a number for a text', 'fans', 'notes: [7], nicknames: [A]', /fans\.yaml\):.*at notes\[0\]/s],
  ['an unknown key', 'links', 'shareLabels: [A], tooMuch: B', /Unrecognized key: "tooMuch"/],
  [
    'a text without its value',
    'vault',
    'fileNames: [beach], releaseForm: A form',
    /it must contain \{NAME\}, each once.*at releaseForm/s,
  ],
  [
    'a text with an unknown value',
    'vault',
    "fileNames: [beach], releaseForm: '{NAME} of {TOWN}'",
    /it must contain \{NAME\}, each once.*at releaseForm/s,
  ],
  ['what is no YAML', 'comments', 'a: "b', /fixtures\/texts\/comments\.yaml\): .*line 1/s],
] as const)('refuses %s', (_, kind, fields, message) => {
  expect(() => readTexts(kind, `{ ${fields} }`)).toThrow(message)
})

it('expands repeated paragraphs', () => {
  const { texts } = readTexts(
    'edge',
    "{ texts: [{ again: 'So. ', times: 3 }], names: [a] }",
  ) as (typeof seedTexts)['edge']
  expect(texts).toEqual(['<p>So. So. So. </p>'])
})

it.each<[string, string, RegExp]>([
  ['a value that does not exist', 'captions: ["{{boat}}"]', /no {{boat}}.*at captions\[0\]/s],
  [
    'a helper of faker that does not exist',
    'massMessages: { free: ["{{food.dsh}}"] }',
    /there is no {{food.dsh}}; did you mean {{food.dish}}.*at massMessages.free\[0\]/s,
  ],
  ['a list of mass messages', 'massMessages: [Hi]', /expected object.*at massMessages/s],
  ['an unknown field', 'hobby: bees', /Unrecognized key: "hobby"/],
])('rejects a persona with %s', (_, yaml, message) => {
  const whole = `{ trade: T, city: C, about: A, topics: { hives: {} }, ${yaml} }`
  expect(() => readPersona('mine', whole)).toThrow(message)
})

it('only loads the texts for seeding', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !file.startsWith('generated/'),
  )
  const importers = files.filter((file) =>
    readFileSync(new URL(file, source), 'utf8').includes('generated/texts'),
  )
  expect(importers).toHaveLength(1)
  expect(readFileSync(new URL(importers[0]!, source), 'utf8')).toContain(
    "import('../generated/texts/index.ts')",
  )
})

it('writes texts as TypeScript with the same values, and escapes invisible characters', () => {
  expect(toLiteral({ a: [1, null, { 'b-c': 'x' }], d: {}, e: [] })).toBe(
    '{ a: [1, null, { "b-c": "x" }], d: {}, e: [] }',
  )
  expect(toLiteral('a\u200Bb👩‍👧"')).toBe(String.raw`"a\u200bb👩\u200d👧\""`)
  expect(toLiteral({ list: ['x'.repeat(80), 'y'.repeat(80)] })).toBe(
    `{\n  list: [\n    "${'x'.repeat(80)}",\n    "${'y'.repeat(80)}",\n  ],\n}`,
  )
})
