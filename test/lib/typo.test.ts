import { expect, it } from 'vitest'
import { matchesWithTypos, splitIntoLowerWords } from '../../src/lib/typo.ts'

const matches = (asked: string, known: string) =>
  matchesWithTypos(splitIntoLowerWords(asked), splitIntoLowerWords(known))

it.each([
  ['anna', 'Anna Berg'],
  ['ber', 'Anna Berg'],
  ['berg anna', 'Anna Berg'],
  ['hanah', 'Hannah Lund'],
  ['hannnah', 'Hannah Lund'],
  ['hamnah', 'Hannah Lund'],
  ['hnanah', 'Hannah Lund'],
  ['subscirb', 'New subscriber'],
  ['snapshto', 'snapshot'],
  ['nanah', 'Annah Berg'],
])('%j matches %j', (asked, known) => expect(matches(asked, known)).toBe(true))

it.each([
  ['ana', 'Anna Berg'],
  ['anna lund', 'Anna Berg'],
  ['hamnha', 'Hannah Lund'],
  ['2021', 'in 2022'],
  ['hannah', 'Han'],
  ['amel', 'Anna Meller'],
])('%j does not match %j', (asked, known) => expect(matches(asked, known)).toBe(false))
