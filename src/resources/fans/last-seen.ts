import type { ChangeListener } from '../../data/changes.ts'
import { parseIso, toIsoTime, toPlatformTime } from '../../lib/time.ts'
import type { PlatformTime } from '../../lib/time.ts'
import type { Message } from '../messages/messages.table.ts'
import { updateLastActivity } from '../subscribers/subscriptions.ts'
import type { World } from '../world.ts'
import type { Fan } from './fans.table.ts'

/** Returns the time when a user was last seen, as other users see it. Null if the user hides it. */
export function getVisibleLastSeen({ lastSeen, hidesLastSeen }: Fan): PlatformTime | null {
  return hidesLastSeen === true ? null : toPlatformTime(lastSeen)
}

/** Sets the fan's last-seen time, epoch ms, unless a later time is already stored. */
export function markFanSeen(world: World, fanId: number, at: number = world.clock.now()): void {
  const fan = world.db.fans.get(fanId)
  if (fan === undefined) return
  const lastSeen = toIsoTime(at)
  // On a frozen clock, the time stays the same, but the fan is now the latest active one.
  if (parseIso(fan.lastSeen) === at) updateLastActivity(world, fan)
  else if (parseIso(fan.lastSeen) < at) world.db.fans.update(fanId, { lastSeen })
}

/** Marks fans as seen when they write messages. */
export function createWriterUpdater(world: World): ChangeListener<Message> {
  return (before, after) => {
    if (before === undefined && after?.isFromFan === true)
      markFanSeen(world, after.fanId, parseIso(after.createdAt))
  }
}
