import { toHtml } from '../../lib/text.ts'
import { toLocalDate } from '../../seed/local-time.ts'
import type { Persona } from '../../seed/persona.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import type { TextPicker } from '../../seed/text-picker.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createTopicLookup, listOfferValues } from '../chats/bundles.ts'
import { listTextValues } from '../fans/fan-values.ts'
import type { VaultMedia } from '../vault/vault.table.ts'
import type { AudienceKind } from './seeded-recipients.ts'

/** A mass message that needs a text. */
interface MassMessageTraits {
  picker: TextPicker
  persona: Persona
  account: Pick<Account, 'name'>
  /** Epoch ms. */
  at: number
  /** The media that the message sells. Empty for a free message. */
  media: readonly VaultMedia[]
  /** @default all fans */
  audience?: AudienceKind | undefined
}

/** Writes the text of a mass message, as HTML. It fits the recipients, the price and the time. */
export function writeMassMessage(
  texts: Pick<SeedTexts, 'countries'>,
  { picker, persona, account, at, media, audience = 'fans' }: MassMessageTraits,
): string {
  const [first] = media
  const offer = first === undefined ? [] : listOfferValues(media, createTopicLookup(persona)(first))
  const values = new Map([...listTextValues(texts, { account }), ...offer])
  const occasion = { local: toLocalDate(persona, at), values }
  const { free, paid, lapsed, welcome } = persona.massMessages
  const unpaid = { lapsed, recent: welcome, fans: free, spenders: free }[audience]
  const text =
    picker.pick(first === undefined ? unpaid : paid, occasion) ??
    picker.pick(free, occasion) ??
    persona.about
  return toHtml(persona.lowerCase ? text.toLowerCase() : text)
}
