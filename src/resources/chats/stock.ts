import type { SeedTexts } from '../../seed/seed-texts.ts'
import type { SeedContext } from '../../seed/seeding.ts'
import type { ChatSizes } from './sizes.ts'

type Dialogues = SeedTexts['dialogues']

/** A long chat counts as this many short chats. */
const longChatWeight = 6

/** Lists of memorable texts. A reader would notice if two accounts used the same text. */
const memorable = ['talks', 'checkins', 'arcs'] as const

/**
 * Returns the shared texts that an account uses. Memorable texts are distributed over the accounts
 * with chats, so that each text is used by only one account. If only one account has chats, it gets
 * all texts.
 */
export function getAccountDialogues(seeding: SeedContext, accountId: number): Dialogues {
  return (
    seeding.dialoguesByAccount(() => distribute(seeding)).get(accountId) ?? seeding.texts.dialogues
  )
}

/** Distributes the memorable texts over the accounts with chats, list by list. */
function distribute(seeding: SeedContext): Map<number, Dialogues> {
  const { dialogues } = seeding.texts
  const weights = seeding.accounts
    .map(({ id, data }) => [id, weightOf(data as ChatSizes)] as const)
    .filter(([, weight]) => weight > 0)
  const byAccount = new Map<number, Dialogues>()
  if (weights.length < 2) return byAccount
  const { random } = seeding.alike('stock')
  for (const [id] of weights) byAccount.set(id, { ...dialogues })
  for (const key of memorable) {
    const shares = new Map<number, unknown[]>(weights.map(([id]) => [id, []]))
    for (const each of dialogues[key]) shares.get(random.pickWeighted(weights))?.push(each)
    for (const [id, share] of shares) Object.assign(byAccount.get(id) ?? {}, { [key]: share })
  }
  return byAccount
}

function weightOf({ chats, longChats }: ChatSizes): number {
  return chats + longChats * (longChatWeight - 1)
}
