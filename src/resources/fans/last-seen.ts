import { toPlatformTime } from '../../lib/time.ts'
import type { PlatformTime } from '../../lib/time.ts'
import type { Fan } from './fans.table.ts'

/** Returns the time when a user was last seen, as other users see it. Null if the user hides it. */
export function getVisibleLastSeen({ lastSeen, hidesLastSeen }: Fan): PlatformTime | null {
  return hidesLastSeen === true ? null : toPlatformTime(lastSeen)
}
