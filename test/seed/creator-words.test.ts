import { expect, it } from 'vitest'
import { shippedPersonas } from '../../src/generated/persona-index.ts'

const names = Object.keys(shippedPersonas)

/** Minimum number of words of a line that only one creator writes. All say `thank you so much`. */
const ownLength = 8

/** Returns the words of the long lines, without their conditions and placeholders. */
function longLinesOf(lines: readonly string[]): string[] {
  return lines
    .map((line) => line.toLowerCase().replace(/^\([^)]*\) |^\[[^\]]*\] |\{[^}]*\}/g, ' '))
    .map((said) => said.match(/[\p{L}']+/gu) ?? [])
    .filter((words) => words.length >= ownLength)
    .map((words) => words.join(' '))
}

it('gives each creator their own words in chats', async () => {
  const users = new Map<string, Set<string>>()
  for (const name of names) {
    const { cues } = (await shippedPersonas[name]!()).default.chat
    for (const lines of Object.values(cues))
      for (const line of longLinesOf(lines))
        users.set(line, (users.get(line) ?? new Set()).add(name))
  }
  expect([...users].filter(([, by]) => by.size > 1).map(([line]) => line)).toEqual([])
})
