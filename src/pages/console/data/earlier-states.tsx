import { ErrorMessage } from '../forms/error-message.tsx'
import { useState } from 'preact/hooks'
import { TextForm } from '../forms/confirm.tsx'
import { formatTimestamp } from '../../shared/format.ts'
import { useStoreState } from '../../shared/hooks.ts'
import { dayMs, getStartOfUtcDay, parseDuration, parseSandboxTime } from '../../../lib/time.ts'
import { describeAge, getSnapshotTitle } from '../shared/snapshots.ts'
import type { KeptSnapshot } from '../../shared/types.ts'

/** Earlier state of the world that can be compared with the current state. */
export interface EarlierState {
  /** Name of the state in the URL. */
  name: string
  label: string
  /** Real time, RFC 3339, or null if unknown. */
  realAt: string | null
  /** Sandbox time, RFC 3339, or null if unknown. */
  at: string | null
}

/** Returns the states to compare with: the load, the last request, then the saved states. */
export function useEarlierStates(snapshots: readonly KeptSnapshot[]): readonly EarlierState[] {
  const scenario = useStoreState((state) => state.pulse?.scenario)
  const start = useStoreState((state) => state.about?.start ?? null)
  const last = useStoreState((state) =>
    state.requests.rows.find(({ key, asked_by: sender }) => key !== null && sender === 'client'),
  )
  const saved = snapshots
    // Snapshots of other data cannot be compared with the current state.
    .filter((each) => each.scenario === scenario)
    .map((each) => ({
      name: each.name,
      label: getSnapshotTitle(each) ?? each.note?.replace(/^Before/, 'before') ?? 'a saved state',
      realAt: each.real_at,
      at: each.at,
    }))
  const request = {
    name: 'request',
    label: 'my last request',
    realAt: last?.real_at ?? null,
    at: last?.at ?? null,
  }
  return [{ name: 'load', label: 'load', realAt: null, at: start }, request, ...sortByTime(saved)]
}

/** Sorts states by real time, newest first. */
function sortByTime(states: readonly EarlierState[]): readonly EarlierState[] {
  return states.toSorted((a, b) => toTime(b) - toTime(a))
}

/** Real time of a state, epoch ms. */
function toTime({ realAt }: EarlierState): number {
  return realAt === null ? Infinity : Date.parse(realAt)
}

/** Shows a button for each state, with its sandbox time and its age. */
export function EarlierStateList({
  states,
  since,
  onSince,
}: {
  states: readonly EarlierState[]
  since: string
  onSince: (since: string) => void
}) {
  return (
    <ol class="earlier-states" aria-label="States">
      {states.map((state) => (
        <li key={state.name}>
          <button
            type="button"
            aria-pressed={state.name === since}
            onClick={() => onSince(state.name)}
          >
            <strong>Since {state.label}</strong>
            <div class="help">{describeTimes(state)}</div>
          </button>
        </li>
      ))}
    </ol>
  )
}

/** Returns the sandbox time of a state, and how long ago it was in real time. */
export function describeTimes({ realAt, at }: EarlierState): string {
  const sandbox = at === null ? [] : [`${formatTimestamp(at)} UTC`]
  const real = realAt === null ? [] : [describeAge(realAt)]
  const times = [...sandbox, ...real]
  return times.length === 0 ? 'No request yet' : times.join(', ')
}

/** Input for a sandbox time. */
export function TimeForm({
  onFind,
}: {
  /** Receives the sandbox time, RFC 3339. */
  onFind: (time: string) => void
}) {
  const now = useStoreState((state) => state.pulse?.clock.now ?? '')
  const [error, setError] = useState<string>()
  const find = (text: string) => {
    const time = parseTypedTime(text, Date.parse(now))
    setError(describeProblem(text, time, now))
    if (time !== undefined && time <= Date.parse(now)) onFind(new Date(time).toISOString())
  }
  return (
    <>
      <TextForm
        label="Since sandbox time, UTC"
        placeholder="14:02, 10 minutes ago"
        submitLabel="Show"
        onSubmit={find}
      />
      <ErrorMessage text={error} />
    </>
  )
}

function describeProblem(text: string, time: number | undefined, now: string): string | undefined {
  if (time === undefined)
    return (
      `“${text}” is not a time. Write it like 14:02, ${formatTimestamp(now)} or 10 minutes ago, ` +
      'in sandbox time.'
    )
  if (time > Date.parse(now))
    return `“${text}” is later than the clock of the sandbox, ${formatTimestamp(now)} UTC.`
  return undefined
}

/**
 * Parses a sandbox time to epoch ms: `14:02`, `2026-10-01 14:02`, RFC 3339, or `10 minutes ago`. A
 * time of day later than now is interpreted as yesterday's. Returns undefined for other texts.
 */
export function parseTypedTime(typed: string, now: number): number | undefined {
  const text = typed.trim().replace(/ *\bUTC$/i, '')
  const [, hours, minutes, seconds = '0'] =
    /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text) ?? []
  if (hours !== undefined) {
    const sinceMidnight = (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1000
    const time = getStartOfUtcDay(now) + sinceMidnight
    return time > now ? time - dayMs : time
  }
  const [, day, clock = '00:00', fraction = '', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(\.\d+)?(Z|[+-]\d\d:\d\d)?)?$/i.exec(text) ?? []
  if (day !== undefined)
    return parseSandboxTime(
      `${day}T${clock.length === 5 ? `${clock}:00` : clock}${fraction}${zone}`,
    )
  const duration = parseDuration(text.replace(/ +ago$/i, ''))
  return duration === undefined ? undefined : now - duration
}
