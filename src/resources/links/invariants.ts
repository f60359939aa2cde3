import type { Invariant } from '../../engine/invariant.ts'
import type { World } from '../../world/world.ts'
import { sumPayments } from './events.ts'
import { claimersOf } from './links.ts'
import type { Link } from './links.ts'
import { metricsOf } from './metrics.ts'

/** What always holds of links. */
export const linkInvariants: readonly Invariant<World>[] = [{ name: 'a link brought what its claimers paid', check: findUnequalLinks }]

function* findUnequalLinks(world: World): Generator<string> {
  const links: readonly Link[] = [...world.db.trackingLinks.all(), ...world.db.trialLinks.all()]
  for (const link of links) {
    const { subs, cents, spenders } = metricsOf(world, link)
    const claims = claimersOf(world, link).slice()
    const payments = claims.map((claim) => sumPayments(world, claim))
    const paid = payments.reduce((sum, payment) => sum + payment.cents, 0)
    const paying = payments.filter(({ count }) => count > 0).length
    if (subs !== claims.length || cents !== paid || spenders !== paying)
      yield (
        `The ${link.kind} link ${link.id} says ${subs} claims, ${cents / 100} dollars of ${spenders} fans; they are ` +
          `${claims.length}, ${paid / 100} of ${paying}.`
      )
  }
}
