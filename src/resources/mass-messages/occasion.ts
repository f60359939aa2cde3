import type { Random } from '../../engine/random.ts'
import { toHtml } from '../../engine/text.ts'
import { momentOf } from '../../world/moment.ts'
import type { Persona } from '../../world/persona.ts'
import { Speaker } from '../../world/phrases.ts'

/** When a mass message goes out (epoch ms), and whether it has a price. */
export interface Sending {
  at: number
  isPaid: boolean
}

/** Writes the mass messages of one creator, as HTML: each has an occasion that fits the season, the hour and the price. */
export function createOccasions(random: Random, persona: Persona): (sending: Sending) => string {
  const speaker = new Speaker(random, persona)
  return ({ at, isPaid }) => {
    const moment = momentOf(persona, at, [isPaid ? 'paid' : 'free'])
    return toHtml(speaker.sayNew(persona.massMessages, moment) ?? speaker.say(persona.massMessages, moment) ?? persona.about)
  }
}
