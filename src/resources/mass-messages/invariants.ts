import { findViolations } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'
import type { World } from '../world.ts'

export const massMessageInvariants: readonly Invariant<World>[] = [
  { name: 'no mass message was sent in the future', check: findFuture },
]

function findFuture({ db, clock }: World): string[] {
  const now = clock.iso()
  return findViolations(db.massMessages.all(), ({ id, sentAt }) =>
    sentAt !== null && sentAt > now
      ? [`Mass message ${id} was sent at ${sentAt}, but the current time is ${now}.`]
      : [],
  )
}
