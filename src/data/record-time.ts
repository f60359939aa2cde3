import { z } from 'zod'
import { parseIso, toIsoTime } from '../lib/time.ts'

/**
 * A time in a record. Every spelling of an instant is stored as `YYYY-MM-DDTHH:MM:SS.sssZ`, because
 * times are compared as strings.
 */
export const recordTime = z.iso.datetime({ offset: true }).overwrite(toStoredTime)

const storedLength = 'YYYY-MM-DDTHH:MM:SS.sssZ'.length

/** Leaves a time unchanged if it is invalid, or if its year has more than four digits in UTC. */
function toStoredTime(text: string): string {
  if (text.length === storedLength && text.endsWith('Z')) return text
  const time = parseIso(text)
  const stored = Number.isNaN(time) ? text : toIsoTime(time)
  return stored.length === storedLength ? stored : text
}
