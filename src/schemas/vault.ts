import { z } from 'zod'
import { inferred, instant } from './common.ts'
import { MediaType, SizedMediaFiles } from './media.ts'

/** A file of the vault. */
export const VaultMediaItem = z.object({
  id: z.int(),
  type: MediaType,
  createdAt: instant,
  isReady: z.boolean().describe('True once transcoding is finished.'),
  canView: z.boolean(),
  counters: z.object({ likesCount: z.int(), tipsSumm: z.number() }),
  files: SizedMediaFiles,
  duration: z.number().describe('Seconds; 0 for photos and GIFs.'),
})

/** A vault list as its rename answers it. */
export const VaultListItem = z.object({ id: z.int(), type: z.string(), name: z.string(), canUpdate: z.boolean(), canDelete: z.boolean() })

/** A preview of what a list holds; the reference shows none. */
export const VaultListMedia = inferred(z.object({ type: MediaType, url: z.url() }))

/** A vault list just created. */
export const CreatedVaultList = VaultListItem.extend({
  videosCount: z.int(),
  photosCount: z.int(),
  gifsCount: z.int(),
  audiosCount: z.int(),
  medias: z.array(VaultListMedia),
})
