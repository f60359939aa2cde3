import { seedChats } from './chats/seed.ts'
import { seedChatStates } from './chats/states.seed.ts'
import { seedComments } from './comments/seed.ts'
import { seedFanNotes } from './fan-records/seed.ts'
import { seedClosedProfiles, seedDeletedFans, seedLastSeen } from './fans/seed.ts'
import { seedMassMessages } from './mass-messages/seed.ts'
import { seedNotificationSettings, seedNotifications } from './notifications/seed.ts'
import { seedPaymentIds, seedPostPayments, seedTransactions } from './payments/seed.ts'
import { seedPayouts } from './payouts/seed.ts'
import { seedPosts } from './posts/seed.ts'
import { seedPromotions } from './promotions/seed.ts'
import { seedReferrals } from './referrals/seed.ts'
import { seedStories } from './stories/seed.ts'
import { seedRenewals } from './subscribers/renewals.seed.ts'
import { seedSubscriptions, seedSharedFans } from './subscribers/seed.ts'
import { seedTags } from './tags/seed.ts'
import { seedTrackingLinks } from './tracking-links/seed.ts'
import { seedTrialLinks } from './trial-links/seed.ts'
import { seedUserLists } from './user-lists/seed.ts'
import { seedBlocksAndRestrictions, seedFollows } from './users/seed.ts'
import {
  seedBrokenMedia,
  seedBuiltInLists,
  seedMediaEngagement,
  seedUploadTimes,
} from './vault/media-use.seed.ts'
import { seedReleaseForms, seedVault } from './vault/seed.ts'
import type { SeedContext } from './seeding.ts'

/** A step that seeds records. `plan` comes from the scenario. */
interface SeedStep {
  /** Name of the random numbers that the step draws. If it changes, the records change. */
  name: string
  seed: (seeding: SeedContext, plan: never) => void
}

/** The steps that seed an organisation. They run before those of its accounts. */
export const organisationSeeds: readonly SeedStep[] = [
  { name: 'shared fans', seed: seedSharedFans },
  { name: 'tags', seed: seedTags },
]

/** The steps that seed an account, in order. Each can use the records of earlier steps. */
export const accountSeeds: readonly SeedStep[] = [
  { name: 'vault', seed: seedVault },
  { name: 'tracking links', seed: seedTrackingLinks },
  { name: 'subscribers', seed: seedSubscriptions },
  { name: 'posts', seed: seedPosts },
  { name: 'follows', seed: seedFollows },
  { name: 'release forms', seed: seedReleaseForms },
  { name: 'trial links', seed: seedTrialLinks },
  { name: 'promotions', seed: seedPromotions },
  { name: 'renewals', seed: seedRenewals },
  { name: 'notification settings', seed: seedNotificationSettings },
  { name: 'payments for posts', seed: seedPostPayments },
  { name: 'comments', seed: seedComments },
  { name: 'engagement of media', seed: seedMediaEngagement },
  { name: 'chats', seed: seedChats },
  { name: 'payments', seed: seedTransactions },
  { name: 'mass messages', seed: seedMassMessages },
  { name: 'fan notes', seed: seedFanNotes },
  { name: 'chat states', seed: seedChatStates },
  { name: 'when fans were last seen', seed: seedLastSeen },
  { name: 'closed profiles', seed: seedClosedProfiles },
  { name: 'user lists', seed: seedUserLists },
  { name: 'notifications', seed: seedNotifications },
  // After all steps that would skip blocked fans.
  { name: 'marks of users', seed: seedBlocksAndRestrictions },
  { name: 'order of payments', seed: seedPaymentIds },
  { name: 'stories', seed: seedStories },
  { name: 'places of media', seed: seedBuiltInLists },
  { name: 'upload times', seed: seedUploadTimes },
  { name: 'broken media', seed: seedBrokenMedia },
  { name: 'referrals', seed: seedReferrals },
  { name: 'payouts', seed: seedPayouts },
  { name: 'deleted fans', seed: seedDeletedFans },
]
