import { createRandom } from '../../world/random.ts'

const signs = ['😊', '😂', '❤️', '😍', '🔥', '👍', '🙈', '😅', '🙏'] as const

/** Writes a text in the style of a fan: capitals, full stops, apostrophes, short words and emoji. */
export function writeAsFan(fanId: number, text: string): string {
  if (text.includes('://')) return text
  const habits = createRandom(0, 'style', fanId)
  const chance = createRandom(0, 'text', fanId, text.length, text)
  const capitals = habits.next()
  let said = text
  if (capitals < 0.5) said = said.toLowerCase()
  else if (capitals > 0.75) said = said.charAt(0).toUpperCase() + said.slice(1)
  if (habits.chance(0.7)) said = said.replace(/(?<!\.)\.$/, '')
  if (habits.chance(0.4)) said = said.replaceAll(/['’]/g, '')
  if (habits.chance(0.2)) said = said.replaceAll(/\byou\b/g, 'u').replaceAll(/\byour\b/g, 'ur')
  if (habits.chance(0.15)) said = said.replaceAll(/\band\b/g, '&')
  if (habits.chance(0.2) && !/[.?]$/.test(said)) said = said.replace(/!?$/, '!')
  const isSigned = chance.chance(habits.pick([0, 0, 0.1, 0.2, 0.35]))
  return isSigned ? `${said} ${habits.pick(signs)}` : said
}
