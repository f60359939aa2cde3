import { findViolations } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'
import type { World } from '../world.ts'
import { sumClaimPayments } from './link-totals.ts'
import { listClaimers } from './links.ts'
import type { Link } from './links.ts'
import { getLinkCounts } from './metrics.ts'

export const linkInvariants: readonly Invariant<World>[] = [
  { name: "the revenue of a link is the sum of its claimers' payments", check: findUnequalLinks },
  { name: 'a public page belongs to an existing link', check: findLostPages },
  { name: 'a trial link with as many claims as its limit is finished', check: findFullTrials },
]

function findUnequalLinks(world: World): string[] {
  const links: readonly Link[] = [...world.db.trackingLinks.all(), ...world.db.trialLinks.all()]
  return findViolations(links, (link) => {
    const { subs, cents, spenders } = getLinkCounts(world, link)
    const claims = listClaimers(world, link).slice()
    const payments = claims.map((claim) => sumClaimPayments(world, claim))
    const paid = payments.reduce((sum, payment) => sum + payment.cents, 0)
    const paying = payments.filter(({ count }) => count > 0).length
    if (subs === claims.length && cents === paid && spenders === paying) return []
    return [
      `The ${link.kind} link ${link.id} has ${subs} claims and ${cents / 100} dollars from ` +
        `${spenders} fans, but its rows have ${claims.length} claims and ${paid / 100} dollars ` +
        `from ${paying} fans.`,
    ]
  })
}

function findFullTrials({ db }: World): string[] {
  return findViolations(db.trialLinks.all(), ({ id, subscribeCounts, finishedAt }) => {
    const claims = db.subscriptions.in('byTrialLink', id).size
    if (subscribeCounts === 0 || claims < subscribeCounts || finishedAt !== null) return []
    return [
      `The trial link ${id} has ${claims} claims and a limit of ${subscribeCounts}, but it is not ` +
        'finished.',
    ]
  })
}

function findLostPages({ db }: World): string[] {
  return findViolations(db.linkShares.all(), ({ id, accountId, kind, linkId }) => {
    const link = kind === 'tracking' ? db.trackingLinks.get(linkId) : db.trialLinks.get(linkId)
    if (link?.accountId === accountId) return []
    return [
      `The public page ${id} belongs to the ${kind} link ${linkId}, which the account does not have.`,
    ]
  })
}
