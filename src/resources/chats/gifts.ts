import { parseIso } from '../../lib/time.ts'
import type { Persona } from '../../seed/persona.ts'
import type { Rows } from '../../seed/seeding.ts'
import { selectMediaForPurpose } from '../vault/media-purposes.ts'
import { createTopicLookup, isSellable } from './bundles.ts'

/** A photo that a creator sends free of charge in chats. */
export interface Gift {
  /** Time of the upload, epoch ms. */
  at: number
  mediaId: number
  /** The picture. Several media may have the same one. */
  asset: string
  /** The creator's term for the topic. */
  about: string
}

/** Returns the photos that an account sends free of charge in chats, oldest first. */
export function listGifts({ vaultMedia }: Pick<Rows, 'vaultMedia'>, persona: Persona): Gift[] {
  const aboutOf = createTopicLookup(persona)
  return selectMediaForPurpose('gifts', vaultMedia)
    .filter((media) => media.type === 'photo' && isSellable(media, aboutOf))
    .map((media) => ({
      at: parseIso(media.createdAt),
      mediaId: media.id,
      asset: media.asset,
      about: aboutOf(media),
    }))
}
