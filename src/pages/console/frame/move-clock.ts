import { parseDuration } from '../../../lib/time.ts'
import { formatCount, formatTimestamp } from '../../shared/format.ts'
import type { Store } from '../../shared/store.ts'
import type { AppliedAction } from '../../shared/types.ts'

/** Moves the clock. Returns the new time, and what the story did on the way, as text. */
export async function moveClock(
  { api, get }: Store,
  move: { set: string } | { advance: string },
): Promise<string> {
  const { pulse, happenings } = get()
  const start = Date.parse(pulse?.clock.now ?? '')
  const { now } = await api.send<{ now: string }>('POST', 'clock', move)
  const time = `The clock shows ${formatTimestamp(now)} UTC.`
  // Without steps left, the actions are those of other programs.
  if ((pulse?.replay.next ?? null) === null) return time
  const done = await api.get<AppliedAction[]>('happenings', { after: happenings[0]?.id ?? 0 })
  if (done.length === 0) return time
  const goal = 'set' in move ? Date.parse(move.set) : start + (parseDuration(move.advance) ?? NaN)
  // A running clock also passes the goal without the story.
  const isFurther = pulse?.clock.mode === 'frozen' && Date.parse(now) > goal
  const actions = formatCount(done.length, 'action')
  return `${time} The story played ${actions}${isFurther ? ' and moved it further' : ''}.`
}
