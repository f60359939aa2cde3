import { useState } from 'preact/hooks'
import { ErrorMessage } from '../forms/error-message.tsx'
import { TextForm } from '../forms/text-form.tsx'
import { formatTimestamp } from '../shared/format.ts'
import { useStoreState } from '../shared/hooks.ts'
import { formatSnapshotTime, getSnapshotTitle } from '../shared/snapshots.ts'
import type { KeptSnapshot } from '../shared/types.ts'

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
  const last = useStoreState((state) => state.requests.rows.find(({ key }) => key !== null))
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

/** Shows a button for each state, with its real time and its sandbox time. */
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
            onClick={() => onSince(state.name === since ? '' : state.name)}
          >
            <strong>Since {state.label}</strong>
            <div class="help">{describeTimes(state)}</div>
          </button>
        </li>
      ))}
    </ol>
  )
}

function describeTimes({ realAt, at }: EarlierState): string {
  const sandbox = at === null ? [] : [`sandbox ${formatTimestamp(at)} UTC`]
  const real =
    realAt === null ? [] : [`${formatSnapshotTime({ real_at: realAt, at: '' })} your clock`]
  const times = [...real, ...sandbox]
  return times.length === 0 ? 'No request yet' : times.join(', ')
}

/** Input for a real time. Selects the last state that was saved before that time. */
export function TimeForm({
  states,
  onFind,
}: {
  states: readonly EarlierState[]
  /** Receives the name of the state, and a sentence that identifies the state. */
  onFind: (name: string, text: string) => void
}) {
  const [error, setError] = useState<string>()
  const find = (text: string) => {
    const time = parseWallTime(text, new Date())
    setError(time === undefined ? `“${text}” is not a time. Write it like 14:02.` : undefined)
    if (time === undefined) return
    const earlier = sortByTime(states).find(
      ({ realAt }) => realAt !== null && Date.parse(realAt) <= time,
    )
    if (earlier === undefined)
      onFind(
        'load',
        `No state was saved before ${text}, so the list contains all changes since ` +
          `the data was loaded.`,
      )
    else
      onFind(
        earlier.name,
        `The last known state before ${text} is ${earlier.label}, ${describeTimes(earlier)}.`,
      )
  }
  return (
    <>
      <TextForm label="Since" placeholder="14:02" submitLabel="Show" isNarrow onSubmit={find} />
      <ErrorMessage text={error} />
    </>
  )
}

/**
 * Parses a time of day such as `14:02` or `14:02:30` to epoch ms. A time later than now is
 * interpreted as yesterday's. Returns undefined if the text is not a time.
 */
function parseWallTime(text: string, now: Date): number | undefined {
  const [, hours, minutes, seconds = '0'] =
    /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text.trim()) ?? []
  if (hours === undefined || minutes === undefined) return undefined
  const time = new Date(now)
  time.setHours(Number(hours), Number(minutes), Number(seconds), 0)
  if (time > now) time.setDate(time.getDate() - 1)
  return time.getTime()
}
