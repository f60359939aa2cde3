import { expect, it } from 'vitest'
import { shippedPersonas } from '../../src/generated/persona-index.ts'

const names = Object.keys(shippedPersonas)
/** Conversation cues for which each persona has its own texts. */
const ownCues = ['late', 'small tip', 'large tip', 'post tip', 'stream tip']

/** Returns the sequences of five words in the lines of a list, without conditions and values. */
function runsOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const said = line.toLowerCase().replace(/^\([^)]*\) |^\[[^\]]*\] |\{[^}]*\}/g, ' ')
    const words = said.match(/[\p{L}']+/gu) ?? []
    return words.slice(4).map((_, place) => words.slice(place, place + 5).join(' '))
  })
}

it('gives each creator their own words in chats, at cues that dialogues use', async () => {
  const users = new Map<string, Set<string>>()
  const unknown: string[] = []
  for (const name of names) {
    const { cues } = (await shippedPersonas[name]!()).default.chat
    for (const [cue, lines] of Object.entries(cues)) {
      if (!ownCues.includes(cue)) unknown.push(`${name}: ${cue}`)
      for (const run of runsOf(lines)) users.set(run, (users.get(run) ?? new Set()).add(name))
    }
  }
  expect(unknown).toEqual([])
  expect([...users].filter(([, by]) => by.size > 1).map(([run]) => run)).toEqual([])
})
