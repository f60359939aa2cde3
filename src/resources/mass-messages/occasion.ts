import type { Random } from '../../world/random.ts'
import { toHtml } from '../../lib/text.ts'
import { momentOf } from '../../seed/moment.ts'
import type { Persona } from '../../seed/persona.ts'
import { parsePhrase, Speaker } from '../../seed/phrases.ts'

/**
 * When a mass message goes out (epoch ms), whether it has a price, and whether it goes to those who
 * left.
 */
export interface Sending {
  at: number
  isPaid: boolean
  isForLapsed?: boolean
}

/**
 * Writes the mass messages of one creator, as HTML: each has an occasion that fits the season, the
 * hour, the price and who gets it.
 */
export function createOccasions(random: Random, persona: Persona): (sending: Sending) => string {
  const speaker = new Speaker(random, persona)
  const { massMessages } = persona
  const forLapsed = massMessages.filter((phrase) => parsePhrase(phrase).facts.includes('lapsed'))
  return ({ at, isPaid, isForLapsed = false }) => {
    const moment = momentOf(persona, at, [
      isPaid ? 'paid' : 'free',
      ...(isForLapsed ? ['lapsed'] : []),
    ])
    const phrases = isForLapsed && forLapsed.length > 0 ? forLapsed : massMessages
    return toHtml(speaker.sayNew(phrases, moment) ?? speaker.say(phrases, moment) ?? persona.about)
  }
}
