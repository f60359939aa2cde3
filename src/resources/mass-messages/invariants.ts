import type { Invariant } from '../../engine/invariant.ts'
import type { World } from '../../world/world.ts'

/** What always holds of mass messages. */
export const massMessageInvariants: readonly Invariant<World>[] = [
  { name: 'mass messages went out by now', check: findLater },
  { name: 'no two mass messages of an account went out at one instant', check: findTwins },
]

function* findLater({ db, clock }: World): Generator<string> {
  const now = clock.iso()
  for (const { id, sentAt } of db.massMessages.all())
    if (sentAt !== null && sentAt > now)
      yield `The mass message ${id} went out at ${sentAt}, but it is ${now}.`
}

function* findTwins({ db }: World): Generator<string> {
  const known = new Map<string, number>()
  for (const { id, accountId, sentAt } of db.massMessages.all()) {
    if (sentAt === null) continue
    const key = `${accountId} ${sentAt}`
    if (known.has(key))
      yield `The mass messages ${known.get(key)} and ${id} both went out at ${sentAt}.`
    known.set(key, id)
  }
}
