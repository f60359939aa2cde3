import { fillPlaceholders } from '../../lib/text.ts'
import { toIsoTime } from '../../lib/time.ts'
import { SandboxError } from '../../errors.ts'
import { mediaManifest } from '../../generated/media-manifest.ts'
import { defineFactory } from '../define-factory.ts'
import { createTextSources } from '../../seed/texts.ts'
import { findBuiltInListId } from './built-in-lists.ts'
import { createOriginalFile } from './files.ts'

/**
 * Fills in missing fields of vault media. By default, a media item is an uploaded photo that is
 * ready.
 */
export const vaultMediaFactory = defineFactory({
  name: 'vaultMedia',
  table: 'vaultMedia',
  time: 'createdAt',
  complete(given, context) {
    const { world, at, iso, random, id } = context
    const accountId = context.accountId(given)
    const { type = 'photo', isReady = true, senderId } = given
    const asset =
      mediaManifest.find(({ name }) => name === given.asset) ??
      random.pick(mediaManifest.filter((candidate) => candidate.type === type))
    const uploads = findBuiltInListId(world, accountId, 'media_stickers')
    return {
      accountId,
      type: asset.type,
      createdAt: iso,
      readyAt: isReady ? iso : toIsoTime(at + world.options.transcodingMs),
      duration: asset.duration,
      asset: asset.name,
      ...createOriginalFile(id, asset),
      listIds: uploads === undefined || senderId !== undefined ? [] : [uploads],
    }
  },
})

/** Fills in missing fields of vault lists. By default, a list is a custom list. */
export const vaultListFactory = defineFactory({
  name: 'vaultList',
  table: 'vaultLists',
  time: 'modifiedAt',
  complete(given, context) {
    const accountId = context.accountId(given)
    const count = context.world.db.vaultLists.in('byAccount', accountId).size
    const name = fillPlaceholders(createTextSources(context).texts.lists.numbered, {
      NUMBER: String(count + 1),
    })
    const { type = 'custom' } = given
    // Built-in lists have no modification time.
    return { accountId, type, name, modifiedAt: type === 'custom' ? context.iso : undefined }
  },
})

/**
 * Fills in missing fields of the sort order of vault lists. By default, lists are sorted by name.
 */
export const vaultListOrderFactory = defineFactory({
  name: 'vaultListOrder',
  table: 'vaultListOrders',
  complete: ({ id, sort = 'name' }, context) => ({
    id: id ?? context.accountId({}),
    sort,
    order: sort === 'custom' ? null : ('asc' as const),
    customOrder: [],
  }),
})

/**
 * Fills in missing fields of release forms. By default, the form is for a guest who is a user of
 * the platform.
 */
export const releaseFormFactory = defineFactory({
  name: 'releaseForm',
  table: 'releaseForms',
  complete(given, context) {
    const { world } = context
    const { type = 'guest' } = given
    const isFromGuest = type === 'guest'
    const userId = given.user?.id ?? context.only('user', world.db.fans.slice(0, 11), 'user')
    const person = world.db.fans.get(userId) ?? world.db.accounts.get(userId)
    if (person === undefined)
      throw new SandboxError(
        `Failed to make the releaseForm (user.id: ${userId}): there is no user with that id. Choose ` +
          'another.',
      )
    const { name, username } = person
    return {
      accountId: context.accountId(given),
      name: fillPlaceholders(createTextSources(context).texts.vault.releaseForm, { NAME: name }),
      partnerSource: isFromGuest ? null : 'platform',
      type,
      user: {
        id: userId,
        name,
        username,
        avatar: null,
        isVerified: !isFromGuest,
        ivStatus: 'approved',
        isFromGuest,
      },
    }
  },
})
