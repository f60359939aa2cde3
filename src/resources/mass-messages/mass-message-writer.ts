import type { Random } from '../../world/random.ts'
import { toHtml } from '../../lib/text.ts'
import { listMediaConditions, createPhraseContext } from '../../seed/phrase-context.ts'
import type { Persona } from '../../seed/persona.ts'
import { parsePhrase, PhrasePicker } from '../../seed/phrases.ts'
import { createTopicLookup, describeMedia } from '../chats/bundles.ts'
import type { VaultMedia } from '../vault/vault.table.ts'
import type { AudienceKind } from './seeded-recipients.ts'

/** The properties of a mass message that determine which occasions fit. */
export interface MassMessageTraits {
  at: number
  isPaid: boolean
  /** The recipients, if the message was sent. */
  audience?: AudienceKind | undefined
  media: readonly VaultMedia[]
}

/**
 * The text of a mass message. `isNew` is true if the text's occasion was not used before. `replies`
 * is the exchange that answers the text, if there is one.
 */
export interface MassMessageText {
  text: string
  isNew: boolean
  replies?: string | undefined
}

/**
 * Writes the mass messages of one creator, as HTML. The occasions of the messages fit the season,
 * the time of day, the price, the media and the recipients. A phrase may contain the answers of
 * fans and the creator, as in `Soup or stew? > soup | stew > noted`.
 */
export function createMassMessageWriter(
  random: Random,
  persona: Persona,
): (sending: MassMessageTraits) => MassMessageText {
  const speaker = new PhrasePicker(random, persona)
  const aboutOf = createTopicLookup(persona)
  const { massMessages, welcomeMessages } = persona
  const forLapsed = massMessages.filter((phrase) =>
    parsePhrase(phrase).conditions.includes('lapsed'),
  )
  const listPhrases = (audience: AudienceKind | undefined) => {
    const own = audience === 'lapsed' ? forLapsed : audience === 'recent' ? welcomeMessages : []
    return own.length > 0 ? own : massMessages
  }
  return ({ at, isPaid, audience, media }) => {
    const context = createPhraseContext(persona, at, [
      ...listMediaConditions(media.map(({ type }) => type)),
      isPaid ? 'paid' : 'free',
      ...(audience === 'lapsed' ? ['lapsed'] : []),
    ])
    const phrases = listPhrases(audience)
    const values = new Map([
      ['what', describeMedia(media)],
      ['about', media[0] === undefined ? '' : aboutOf(media[0])],
    ])
    const general = audience === 'lapsed' ? [] : massMessages
    const text =
      speaker.sayNew(phrases, context, values) ?? speaker.sayNew(general, context, values)
    if (text !== undefined) return { ...splitReplies(text), isNew: true }
    const known = speaker.say(phrases, context, { chosen: values }) ?? persona.about
    return { ...splitReplies(known), isNew: false }
  }
}

/** Splits a written phrase into its text and the exchange that answers it. */
function splitReplies(phrase: string): Pick<MassMessageText, 'text' | 'replies'> {
  const [text = '', ...turns] = phrase.split(' > ')
  return { text: toHtml(text), replies: turns.length === 0 ? undefined : turns.join(' > ') }
}
