import type { Random } from '../../world/random.ts'
import { toHtml } from '../../lib/text.ts'
import { listMediaConditions, createPhraseContext } from '../../seed/phrase-context.ts'
import type { Persona } from '../../seed/persona.ts'
import { parsePhrase, PhrasePicker } from '../../seed/phrases.ts'
import { describeMedia } from '../chats/bundles.ts'
import type { VaultMedia } from '../vault/vault.table.ts'

/** The properties of a mass message that determine which occasions fit. */
export interface MassMessageTraits {
  at: number
  isPaid: boolean
  isForLapsed?: boolean
  media: readonly Pick<VaultMedia, 'type' | 'duration'>[]
}

/** The text of a mass message. `isNew` is true if the text's occasion was not used before. */
export interface MassMessageText {
  text: string
  isNew: boolean
}

/**
 * Writes the mass messages of one creator, as HTML. The occasions of the messages fit the season,
 * the time of day, the price and the recipients.
 */
export function createMassMessageWriter(
  random: Random,
  persona: Persona,
): (sending: MassMessageTraits) => MassMessageText {
  const speaker = new PhrasePicker(random, persona)
  const { massMessages } = persona
  const forLapsed = massMessages.filter((phrase) =>
    parsePhrase(phrase).conditions.includes('lapsed'),
  )
  return ({ at, isPaid, isForLapsed = false, media }) => {
    const context = createPhraseContext(persona, at, [
      ...listMediaConditions(media.map(({ type }) => type)),
      isPaid ? 'paid' : 'free',
      ...(isForLapsed ? ['lapsed'] : []),
    ])
    const phrases = isForLapsed && forLapsed.length > 0 ? forLapsed : massMessages
    const values = new Map([['what', describeMedia(media)]])
    const text = speaker.sayNew(phrases, context, values)
    if (text !== undefined) return { text: toHtml(text), isNew: true }
    const known = speaker.say(phrases, context, { chosen: values }) ?? persona.about
    return { text: toHtml(known), isNew: false }
  }
}
