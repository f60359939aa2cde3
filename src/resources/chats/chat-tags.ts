import { dayMs, hourMs } from '../../lib/time.ts'

/** A message of a chat, as far as the tags depend on it. Times are epoch ms. */
interface Said {
  text: string
  isFromFan: boolean
  at: number
  /** The set of media that the message offers. */
  bundle: unknown
  boughtAt: number | undefined
}

/** A chat is `lately` or `quiet` by the time since its last message. */
const since = { lately: [16 * hourMs, 6 * dayMs], quiet: 5 * dayMs, today: 12 * hourMs } as const
/** The last message counts as unanswered after this time, and is forgotten later. */
const unanswered = { least: 2 * hourMs, most: 7 * dayMs } as const
/** A reply is slow after this time. The fan mentions it for some days. */
const slow = { least: 6 * hourMs, spoken: 10 * dayMs } as const
/** A fan has received many offers if there were this many in this period. */
const manyOffers = { count: 3, within: 30 * dayMs, latest: 4 * dayMs } as const

/**
 * Returns tags about the earlier messages of a chat at a time (epoch ms). `first`: there are none.
 * `lately` and `quiet`: the last one was some days ago, or long ago. `today`: the creator wrote
 * today. `missed` and `asked`: a question of the fan or of the creator has no answer. `slow`: a
 * reply of the creator took hours. `offers`, `offered`, `declined` and `buyer`: many offers, a
 * recent one, one of this day that was not bought, and any that was bought.
 */
export function listChatTags(said: readonly Said[], at: number): string {
  let last: Said | undefined
  let [offers, offeredAt, slowAt, answeredAt] = [0, -Infinity, -Infinity, -Infinity]
  let [isDeclined, isBuyer] = [false, false]
  for (const line of said) {
    if (line.at >= at) continue
    if (!line.isFromFan) answeredAt = line.at
    if (line.bundle !== undefined) {
      offeredAt = Math.max(offeredAt, line.at)
      if (at - line.at < manyOffers.within) offers += 1
      const isBought = (line.boughtAt ?? Infinity) <= at
      if (isBought) isBuyer = true
      else if (at - line.at < dayMs) isDeclined = true
    } else if (!line.isFromFan && last?.isFromFan === true && line.at - last.at > slow.least)
      slowAt = line.at
    if (line.at >= (last?.at ?? -Infinity)) last = line
  }
  if (last === undefined) return 'first '
  const age = at - last.at
  let tags = ''
  if (age >= since.lately[0] && age < since.lately[1]) tags += 'lately '
  if (age >= since.quiet) tags += 'quiet '
  if (at - answeredAt < since.today) tags += 'today '
  if (last.text.includes('?') && age >= unanswered.least && age < unanswered.most)
    tags += last.isFromFan ? 'missed ' : last.bundle === undefined ? 'asked ' : ''
  if (at - slowAt < slow.spoken) tags += 'slow '
  if (offers >= manyOffers.count) tags += 'offers '
  if (at - offeredAt < manyOffers.latest) tags += 'offered '
  if (isDeclined) tags += 'declined '
  if (isBuyer) tags += 'buyer '
  return tags
}
