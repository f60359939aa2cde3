import { expect, it } from 'vitest'
import { shippedPersonas } from '../../src/generated/persona-index.ts'
import { seedTexts } from '../../src/generated/texts/index.ts'

const names = Object.keys(shippedPersonas)
/** Cues that only personas have. For all other cues, every creator draws from the common lines. */
const ownCues = ['offer', 'small tip', 'large tip', 'post tip', 'stream tip']

/** Returns all sequences of five words in a list's lines, without conditions and values. */
function getRuns(lines: readonly string[]): string[] {
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
      if (!ownCues.includes(cue) && !Object.hasOwn(seedTexts.dialogues.cues, cue))
        unknown.push(`${name}: ${cue}`)
      for (const run of getRuns(lines)) users.set(run, (users.get(run) ?? new Set()).add(name))
    }
  }
  expect(unknown).toEqual([])
  expect([...users].filter(([, by]) => by.size > 1).map(([run]) => run)).toEqual([])
})
