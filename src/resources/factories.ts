import { completeRecord } from '../world/factory.ts'
import type { AnyFactory, Factories } from '../world/factory.ts'
import { accountFactory, apiKeyFactory, organisationFactory } from './accounts/factories.ts'
import { chatFactory } from './chats/seed.ts'
import { commentFactory } from './comments/seed.ts'
import { fanRecordFactory } from './fan-records/seed.ts'
import { fanFactory } from './fans/seed.ts'
import { postLabelFactory } from './labels/factories.ts'
import { linkShareFactory } from './link-shares/link-shares.ts'
import { massMessageFactory } from './mass-messages/factories.ts'
import { messageFactory } from './messages/factories.ts'
import { notificationFactory, notificationSettingsFactory } from './notifications/seed.ts'
import { transactionFactory } from './payments/seed.ts'
import { payoutFactory, payoutSettingsFactory, referralPayoutFactory } from './payouts/seed.ts'
import { postDayFactory, postFactory, removedPostFactory } from './posts/seed.ts'
import { promotionClaimFactory, promotionFactory } from './promotions/seed.ts'
import { referralFactory } from './referrals/seed.ts'
import { storyFactory } from './stories/seed.ts'
import { subscriptionFactory } from './subscribers/seed.ts'
import { tagFactory } from './tags/seed.ts'
import { trackingLinkFactory } from './tracking-links/seed.ts'
import { makeWithTrait } from './traits.ts'
import { trialLinkFactory } from './trial-links/seed.ts'
import { uploadFactory } from './uploads/uploads.ts'
import { userListFactory, userListMemberFactory } from './user-lists/seed.ts'
import { followFactory, userMarkFactory } from './users/seed.ts'
import {
  releaseFormFactory,
  vaultListFactory,
  vaultListOrderFactory,
  vaultMediaFactory,
} from './vault/seed.ts'
import type { World } from './world.ts'

/** All factories. Each comes after the factories of the tables that it references. */
const allFactories = [
  organisationFactory,
  apiKeyFactory,
  accountFactory,
  fanFactory,
  postLabelFactory,
  notificationFactory,
  notificationSettingsFactory,
  payoutFactory,
  referralPayoutFactory,
  payoutSettingsFactory,
  promotionFactory,
  referralFactory,
  tagFactory,
  trackingLinkFactory,
  trialLinkFactory,
  linkShareFactory,
  uploadFactory,
  userListFactory,
  followFactory,
  userMarkFactory,
  subscriptionFactory,
  chatFactory,
  fanRecordFactory,
  promotionClaimFactory,
  userListMemberFactory,
  vaultListFactory,
  vaultListOrderFactory,
  releaseFormFactory,
  vaultMediaFactory,
  massMessageFactory,
  messageFactory,
  postFactory,
  commentFactory,
  removedPostFactory,
  postDayFactory,
  storyFactory,
  transactionFactory,
] as const

/** A factory for one table. */
export type DeclaredFactory = (typeof allFactories)[number]

const byTable: ReadonlyMap<string, AnyFactory> = new Map(
  allFactories.map((factory) => [factory.table, factory]),
)

/**
 * Factories that fill in missing fields of records in scenarios. Only `scenario/seed-sources.ts`
 * imports this module, so it is loaded together with the seed data.
 */
export const factories: Factories = {
  kinds: allFactories,
  complete(world, table, values) {
    const factory = byTable.get(table)
    return factory && completeRecord(world, factory, values)
  },
  makeWithTrait: (world, table, fields) =>
    makeWithTrait(world as World, { name: byTable.get(table)?.name ?? table, table }, fields),
}
