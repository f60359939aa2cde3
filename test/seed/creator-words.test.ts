import { expect, it } from 'vitest'
import { shippedPersonas } from '../../src/generated/persona-index.ts'

const names = Object.keys(shippedPersonas)

/** Returns all sequences of five words in some lines, without their conditions and placeholders. */
function runsOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const said = line.toLowerCase().replace(/^\([^)]*\) |^\[[^\]]*\] |\{[^}]*\}/g, ' ')
    const words = said.match(/[\p{L}']+/gu) ?? []
    return words.slice(4).map((_, place) => words.slice(place, place + 5).join(' '))
  })
}

it('gives each creator their own words in chats', async () => {
  const users = new Map<string, Set<string>>()
  for (const name of names) {
    const { cues } = (await shippedPersonas[name]!()).default.chat
    for (const lines of Object.values(cues))
      for (const run of runsOf(lines)) users.set(run, (users.get(run) ?? new Set()).add(name))
  }
  expect([...users].filter(([, by]) => by.size > 1).map(([run]) => run)).toEqual([])
})
