import { defineFactory } from '../define-factory.ts'
import { findLink } from '../links/links.ts'
import { deriveWorldToken } from './link-shares.ts'

/**
 * Fills in missing fields of public link pages. By default, a page is open and belongs to a
 * tracking link.
 */
export const linkShareFactory = defineFactory({
  name: 'linkShare',
  table: 'linkShares',
  time: 'createdAt',
  complete(given, context) {
    const { world, iso } = context
    const { kind = 'tracking' } = given
    const named = given.linkId === undefined ? undefined : findLink(world, kind, given.linkId)
    const accountId = given.accountId ?? named?.accountId ?? context.accountId(given)
    const links = kind === 'tracking' ? world.db.trackingLinks : world.db.trialLinks
    const linkId =
      given.linkId ??
      context.only(
        'linkId',
        links.in('byAccount', accountId).walk(),
        `${kind} link of the account ${accountId}`,
      )
    return {
      id: deriveWorldToken(world, context.random.uuid()),
      number: context.id,
      accountId,
      kind,
      linkId,
      createdAt: iso,
      updatedAt: iso,
    }
  },
})
