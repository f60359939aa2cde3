import { z } from 'zod'
import { lazyStrictObject } from '../../lib/fields.ts'
import { createMissingRecordError } from '../effects/pick-records.ts'
import { accountId, requireAccount, createUnknownIdError } from '../../api/action.ts'
import { createInputError } from '../../errors.ts'
import { defineAction } from '../define.ts'
import type { World } from '../world.ts'
import { toVaultKey } from '../vault/vault.table.ts'
import { finishTranscoding } from '../vault/vault.ts'
import { FaultInput } from '../../world/fault-input.ts'
import { errorCatalogue } from '../../error-catalogue.ts'

/** Finishes the transcoding of media immediately. */
export const readyMedia = defineAction({
  type: 'media.ready',
  summary: 'Finish the transcoding of media now',
  schema: lazyStrictObject(() => ({
    account_id: accountId,
    media_id: z
      .int()
      .optional()
      .describe('Id of a media item in the vault. Default: all media of the account.'),
  })),
  effect(world, { account_id, media_id }) {
    const account = requireAccount(world, account_id)
    if (media_id !== undefined && world.db.vaultMedia.get(media_id)?.accountId !== account.id) {
      throw createUnknownIdError(
        { field: 'media_id', id: media_id, thing: `media item of ${account.username}` },
        world.db.vaultMedia.in('recent', toVaultKey({ accountId: account.id })).slice(0, 11),
      )
    }
    const media = finishAll(world, account.id, media_id)
    const count = media.length === 1 ? '1 item' : `${media.length} items`
    if (media.length > 0)
      return {
        happened: `${count} of ${account.username} finished transcoding`,
        ids: { account: account.id, media },
      }
    if (media_id === undefined) throw createMissingRecordError(account, 'media in transcoding')
    throw createInputError({ media_id }, 'but that item is not being transcoded.')
  },
})

/**
 * Finishes the transcoding of all media of an account, or of one media item. Returns the ids of the
 * finished items.
 */
function finishAll(
  world: World,
  accountId: number,
  mediaId: number | undefined,
): readonly number[] {
  const media = world.db.vaultMedia
    .list('processing', accountId)
    .filter(({ id }) => mediaId === undefined || id === mediaId)
  for (const each of media) finishTranscoding(world, each)
  return media.map(({ id }) => id)
}

/**
 * Makes the platform reject uploaded files by adding a fault to the media proxy. Like any other
 * fault, it can be removed.
 */
export const refuseUpstream = defineAction({
  type: 'upstream.refuse',
  summary: 'Make the platform refuse to serve media files, so that their links return 502',
  schema: lazyStrictObject(() => ({
    account_id: z
      .int()
      .optional()
      .describe(
        'The account whose media files the platform refuses to serve. Default: every account.',
      ),
    times: FaultInput.unwrap().shape.times,
  })),
  effect(world, { account_id, times }) {
    const whose =
      account_id === undefined ? 'every account' : requireAccount(world, account_id).username
    const { status, message } = errorCatalogue.upstream_refused
    const { id } = world.faults.add({
      route: 'GET /media-proxy',
      status,
      error: message,
      account_id,
      times,
    })
    const howOften = times === undefined ? '' : `, ${times === 1 ? 'once' : `${times} times`}`
    return {
      happened: `The platform refuses to serve files of ${whose}${howOften}`,
      ids: { account: account_id, fault: id },
    }
  },
})
