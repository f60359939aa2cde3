import { completeRecord } from '../engine/factory.ts'
import type { AnyFactory, Maker } from '../engine/factory.ts'
import { inOrder } from '../engine/order.ts'
import { accountsFactories } from '../resources/accounts/factories.ts'
import { chatsFactories } from '../resources/chats/factories.ts'
import { commentsFactories } from '../resources/comments/factories.ts'
import { fanRecordsFactories } from '../resources/fan-records/factories.ts'
import { fansFactories } from '../resources/fans/factories.ts'
import { labelsFactories } from '../resources/labels/factories.ts'
import { linkSharesFactories } from '../resources/link-shares/factories.ts'
import { massMessagesFactories } from '../resources/mass-messages/factories.ts'
import { messagesFactories } from '../resources/messages/factories.ts'
import { notificationsFactories } from '../resources/notifications/factories.ts'
import { paymentsFactories } from '../resources/payments/factories.ts'
import { payoutsFactories } from '../resources/payouts/factories.ts'
import { postsFactories } from '../resources/posts/factories.ts'
import { promotionsFactories } from '../resources/promotions/factories.ts'
import { referralsFactories } from '../resources/referrals/factories.ts'
import { storiesFactories } from '../resources/stories/factories.ts'
import { subscribersFactories } from '../resources/subscribers/factories.ts'
import { tagsFactories } from '../resources/tags/factories.ts'
import { trackingLinksFactories } from '../resources/tracking-links/factories.ts'
import { trialLinksFactories } from '../resources/trial-links/factories.ts'
import { uploadsFactories } from '../resources/uploads/factories.ts'
import { userListsFactories } from '../resources/user-lists/factories.ts'
import { usersFactories } from '../resources/users/factories.ts'
import { vaultFactories } from '../resources/vault/factories.ts'

const declared = [
  ...accountsFactories,
  ...chatsFactories,
  ...commentsFactories,
  ...fanRecordsFactories,
  ...fansFactories,
  ...labelsFactories,
  ...linkSharesFactories,
  ...massMessagesFactories,
  ...messagesFactories,
  ...notificationsFactories,
  ...paymentsFactories,
  ...payoutsFactories,
  ...postsFactories,
  ...promotionsFactories,
  ...referralsFactories,
  ...storiesFactories,
  ...subscribersFactories,
  ...tagsFactories,
  ...trackingLinksFactories,
  ...trialLinksFactories,
  ...uploadsFactories,
  ...userListsFactories,
  ...usersFactories,
  ...vaultFactories,
] as const

/** What completes the records of a table. */
export type DeclaredFactory = (typeof declared)[number]

/** What completes the records of each table, in an order in which each table comes behind those that its records name. */
export const factories: readonly DeclaredFactory[] = inOrder<DeclaredFactory>(declared)

const byTable: ReadonlyMap<string, AnyFactory> = new Map(factories.map((factory) => [factory.table, factory]))

/** Completes records that somebody makes by hand. It is loaded with the data: nothing but `world/seed.ts` imports it. */
export const maker: Maker = {
  kinds: factories,
  complete(world, table, values) {
    const factory = byTable.get(table)
    return factory && completeRecord(world, factory, values)
  },
}
