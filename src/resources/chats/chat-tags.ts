import { findPartitionPoint } from '../../lib/partition-point.ts'
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
 * Returns tags about the earlier messages of a chat (oldest first) at a time (epoch ms). `first`:
 * there are none. `lately` and `quiet`: the last one was some days ago, or long ago. `today`: the
 * creator wrote today. `missed` and `asked`: a question of the fan or of the creator has no answer.
 * `slow`: a reply of the creator took hours. `offers`, `offered`, `declined` and `buyer`: many
 * offers, a recent one, one of this day that was not bought, and any that was bought.
 */
export function listChatTags(said: readonly Said[], at: number): string {
  const count = findPartitionPoint(said, (line) => line.at >= at)
  const last = said[count - 1]
  if (last === undefined) return 'first '
  let [offers, offeredAt, slowAt, answeredAt] = [0, -Infinity, -Infinity, -Infinity]
  let isDeclined = false
  for (let place = count - 1; place >= 0; place -= 1) {
    const line = said[place] as Said
    if (at - line.at > manyOffers.within) break
    if (!line.isFromFan) answeredAt = Math.max(answeredAt, line.at)
    if (line.bundle !== undefined) {
      offers += 1
      offeredAt = Math.max(offeredAt, line.at)
      if (at - line.at < dayMs && !isBoughtBy(line, at)) isDeclined = true
    } else if (!line.isFromFan && isSlowReply(line, said[place - 1]))
      slowAt = Math.max(slowAt, line.at)
  }
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
  if (said.some((line) => isBoughtBy(line, at))) tags += 'buyer '
  return tags
}

function isBoughtBy({ boughtAt = Infinity }: Said, at: number): boolean {
  return boughtAt <= at
}

function isSlowReply({ at }: Said, before: Said | undefined): boolean {
  return before?.isFromFan === true && at - before.at > slow.least
}
