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

/** A chat is `quiet` this long after its last message, and `today` this long after the creator's. */
const since = { quiet: 5 * dayMs, today: 12 * hourMs } as const
/** The fan's last message counts as unanswered after this time, and is forgotten later. */
const unanswered = { least: 2 * hourMs, most: 7 * dayMs } as const
/** A fan has received many offers if there were this many in this period. */
const manyOffers = { count: 3, within: 30 * dayMs } as const

/**
 * Returns tags about the earlier messages of a chat (oldest first) at a time (epoch ms). `first`:
 * there are none. `quiet`: the last one was some days ago. `today`: the creator wrote today.
 * `missed`: a question of the fan has no answer. `offers`, `declined` and `buyer`: many offers, one
 * of this day that was not bought, and any that was bought.
 */
export function listChatTags(said: readonly Said[], at: number): string {
  const count = findPartitionPoint(said, (line) => line.at >= at)
  const last = said[count - 1]
  if (last === undefined) return 'first '
  let [offers, answeredAt] = [0, -Infinity]
  let isDeclined = false
  for (let place = count - 1; place >= 0; place -= 1) {
    const line = said[place] as Said
    if (at - line.at > manyOffers.within) break
    if (!line.isFromFan) answeredAt = Math.max(answeredAt, line.at)
    if (line.bundle === undefined) continue
    offers += 1
    if (at - line.at < dayMs && !isBoughtBy(line, at)) isDeclined = true
  }
  const age = at - last.at
  let tags = ''
  if (age >= since.quiet) tags += 'quiet '
  if (at - answeredAt < since.today) tags += 'today '
  const isQuestion = last.isFromFan && last.text.includes('?')
  if (isQuestion && age >= unanswered.least && age < unanswered.most) tags += 'missed '
  if (offers >= manyOffers.count) tags += 'offers '
  if (isDeclined) tags += 'declined '
  if (said.some((line) => isBoughtBy(line, at))) tags += 'buyer '
  return tags
}

function isBoughtBy({ boughtAt = Infinity }: Said, at: number): boolean {
  return boughtAt <= at
}
