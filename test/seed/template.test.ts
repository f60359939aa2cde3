import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createFaker, Fakers, loadLocale, localeNames } from '../../src/seed/faker.ts'
import {
  escapeTemplate,
  fillTemplate,
  listPlaceholders,
  templateHelpers,
} from '../../src/seed/template.ts'
import { Random } from '../../src/world/random.ts'

const now = Date.parse('2026-10-01T09:30:00Z')
const fakers = await Fakers.load(['en', 'de'], now)
const fill = (text: string, seed = 7, locale = 'en') =>
  fillTemplate(text, { faker: fakers.at(locale, new Random(seed)) })

it('fills in helpers with and without arguments and spaces, repeatably', () => {
  const text = '{{person.fullName}} likes {{ helpers.arrayElement(["a }} b", "c (d"]) }}'
  expect(fill(text)).toMatch(/^\S.* likes (a }} b|c \(d)$/)
  expect(fill(text)).toBe(fill(text))
  expect(new Set([1, 2, 3, 4].map((seed) => fill(text, seed))).size).toBeGreaterThan(1)
  expect(fill('{{string.alpha( {"length": {"min": 3, "max": 3}} )}}!')).toMatch(/^[a-zA-Z]{3}!$/)
  expect(fill('{{number.int({"min":5,"max":5})}} {{datatype.boolean}}')).toMatch(/^5 (true|false)$/)
})

it('fills in values of our own, and never scans a result again', () => {
  const values = new Map([['fan.firstName', '{{person.firstName}}']])
  expect(fillTemplate('hi {{ fan.firstName }}', { values })).toBe('hi {{person.firstName}}')
  expect(fill('{{helpers.arrayElement(["{{person.firstName}}"])}}')).toBe('{{person.firstName}}')
})

it('writes literal braces, and leaves other braces as they are', () => {
  expect(fill('\\{{name}} {name} }} {')).toBe('{{name}} {name} }} {')
  const text = 'a {{name}} \\{{ b {{{'
  expect(fill(escapeTemplate('a {{name}} b'))).toBe('a {{name}} b')
  expect(listPlaceholders('{{fan.town}} \\{{no}} {{person.firstName("female")}}')).toEqual([
    'fan.town',
    'person.firstName',
  ])
  expect(fill(escapeTemplate(text))).toBe(text)
})

it('writes dates as RFC 3339, relative to the start of the clock', () => {
  const date = fill('{{date.past({"years":1})}}')
  expect(date).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(Date.parse(date)).toBeLessThanOrEqual(now)
  expect(Date.parse(date)).toBeGreaterThan(now - 367 * 86_400_000)
})

it('has all helpers that it lists, and each returns a text in English', async () => {
  const faker = createFaker(await loadLocale('en'), { next: () => 0.5, seed: () => {} }, now)
  const needsArguments = /^date\.between$|^helpers\.|^string\.fromCharacters$/
  for (const name of [...templateHelpers].filter((each) => !needsArguments.test(each)))
    expect([name, fillTemplate(`{{${name}}}`, { faker })]).toEqual([name, expect.any(String)])
})

it.each([
  [
    'an unknown helper',
    '{{person.fullNam}}',
    /\({{person.fullNam}}\): there is no person.fullNam; did you mean person.fullName/,
  ],
  ['a helper that returns an object', '{{airline.airport}}', /there is no airline.airport/],
  ['a module', '{{person}}', /there is no person/],
  ['an internal method', '{{person.constructor}}', /there is no person.constructor/],
  ['faker itself', '{{helpers.fake("x")}}', /there is no helpers.fake/],
  ['an array element that is an object', '{{helpers.arrayElement([{"a":1}])}}', /returns no text/],
  ['arguments that are not JSON', "{{helpers.arrayElement(['a'])}}", /must be JSON/],
  ['arguments without an end', '{{helpers.arrayElement(["a"]', /are not closed/],
  ['a placeholder without an end', 'hi {{person.firstName', /must end with }}/],
  ['a placeholder without a name', 'hi {{ }}', /a name must follow/],
  ['30,000,000 characters', '{{string.alpha(30000000)}}', /generates more than 10000/],
  [
    'many characters in a range',
    '{{string.alpha({"length":{"min":1,"max":2e7}})}}',
    /generates more/,
  ],
  ['many words', '{{lorem.words(100000)}}', /generates more than 1000/],
  [
    'a pattern of many characters',
    '{{helpers.fromRegExp("a{900}b{900}")}}',
    /generates more than 1000/,
  ],
  ['a password of many characters', '{{internet.password(1e9)}}', /generates more/],
  ['a long result', '{{lorem.paragraphs(900)}}', /more than 10000 characters/],
  [
    'a helper that rejects its arguments',
    '{{number.int({"min":2,"max":1})}}',
    /Max 1 should be greater/,
  ],
])('rejects %s', (_, text, message) => {
  expect(() => fill(text)).toThrow(message)
})

it('knows all locales of faker, and names the nearest for an unknown one', async () => {
  const folder = new URL('../../node_modules/@faker-js/faker/dist/locale/', import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'))
  expect(localeNames.map((name) => `${name}.js`).toSorted()).toEqual(files.toSorted())
  await expect(Fakers.load(['en_USA'], now)).rejects.toThrow(
    /\(locale en_USA\): faker has no such locale; did you mean en_US/,
  )
})
