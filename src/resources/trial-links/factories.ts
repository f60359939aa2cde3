import { parseIso } from '../../lib/time.ts'
import { defineFactory } from '../define-factory.ts'
import { createTextSources } from '../../seed/texts.ts'
import { toTrialUrl } from './trial-links.ts'

/**
 * Fills in missing fields of trial links. By default, a trial lasts one week and its link has no
 * claim limit. Expired links are also finished.
 */
const trialLinkFactory = defineFactory({
  name: 'trialLink',
  table: 'trialLinks',
  after: ['account', 'tag'],
  time: 'createdAt',
  complete(given, context) {
    const { world, random } = context
    const accountId = context.accountId(given)
    const { expiredAt = null } = given
    const isOver = expiredAt !== null && parseIso(expiredAt) <= world.clock.now()
    return {
      kind: 'trial' as const,
      accountId,
      trialLinkName: `${random.pick(createTextSources(context).texts.names.nouns)} trial`,
      url: toTrialUrl(
        { username: world.db.accounts.get(accountId)?.username ?? '' },
        random.uuid(),
      ),
      subscribeDays: 7,
      createdAt: context.iso,
      finishedAt: isOver ? expiredAt : null,
    }
  },
})

export const trialLinksFactories = [trialLinkFactory] as const
