import type { DueEffect } from '../../world/timeline.ts'
import type { ChangeListener } from '../../data/change-log.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { parseIso } from '../../lib/time.ts'
import type { World } from '../world.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { TrialLink } from './trial-links.table.ts'

/**
 * Fields of a new trial link. Without an expiry time and with the limit 0, it accepts claims
 * forever.
 */
export interface NewTrialLink {
  name: string
  days: number
  limit: number
  expiredAt: string | null
  tagIds: readonly number[]
}

/** Creates a trial link with all metrics at 0. */
export function createTrialLink(
  world: World,
  account: Account,
  { name, days, limit, expiredAt, tagIds }: NewTrialLink,
): TrialLink {
  const id = world.nextId('trialLinks')
  return world.db.trialLinks.insert({
    id,
    kind: 'trial',
    accountId: account.id,
    trialLinkName: name,
    url: toTrialUrl(account, world.random.uuid()),
    subscribeDays: days,
    subscribeCounts: limit,
    createdAt: world.clock.iso(),
    expiredAt,
    tags: [...tagIds],
  })
}

/** Returns the URL of a trial link. The code in the URL is the first 20 digits of a UUID. */
export function toTrialUrl({ username }: Pick<Account, 'username'>, uuid: string): string {
  return `https://platform.example/action/trial/${username}/${uuid.replaceAll('-', '').slice(0, 20)}`
}

/**
 * Finishes a trial link: it accepts no more claims, but can still be read. The platform finishes
 * links instead of deleting them.
 */
export function finishTrialLink(world: World, link: TrialLink): void {
  if (link.finishedAt === null)
    world.db.trialLinks.update(link.id, { finishedAt: world.clock.iso() })
}

/** Returns the time when the next trial link expires. */
export function findNextTrialLinkEnd(world: World): DueEffect | undefined {
  const link = world.db.trialLinks.in('expiring', 'all').at(0)
  return link && { at: parseIso(link.expiredAt ?? ''), fire: () => finishTrialLink(world, link) }
}

/** Finishes a trial link when it reaches its claim limit. */
export function createTrialLinkLimitCheck(world: World): ChangeListener<Subscription> {
  return (_, after) => {
    const link = after?.trialLinkId == null ? undefined : world.db.trialLinks.get(after.trialLinkId)
    if (link === undefined || link.subscribeCounts === 0) return
    if (world.db.subscriptions.in('byTrialLink', link.id).size >= link.subscribeCounts)
      finishTrialLink(world, link)
  }
}
