import type { Invariant } from '../../engine/invariant.ts'
import type { World } from '../../world/world.ts'

/** What always holds of messages. */
export const messageInvariants: readonly Invariant<World>[] = [
  { name: 'ids of messages rise with time in each chat', check: findUnordered },
  { name: 'a message was written by now', check: findLater },
]

function* findUnordered({ db }: World): Generator<string> {
  for (const chat of db.chats.all()) {
    let newer: number | undefined
    for (const { id } of db.messages.in('byChat', chat.id).walk()) {
      if (newer !== undefined && id > newer) yield `In chat ${chat.id} the message ${id} is older than ${newer}, which has a lower id.`
      newer = id
    }
  }
}

function* findLater({ db, clock }: World): Generator<string> {
  const now = clock.iso()
  for (const { id, createdAt } of db.messages.all()) if (createdAt > now) yield `The message ${id} is of ${createdAt}, but it is ${now}.`
}
