import { ErrorMessage } from '../forms/error-message.tsx'
import { useState } from 'preact/hooks'
import { formatTimestamp, formatTime, formatCount } from '../../shared/format.ts'
import { useCommandRunner, useStoreState, useStore } from '../../shared/hooks.ts'
import { Menu } from '../shared/menu.tsx'
import { useWorldCommands } from '../shared/world-commands.ts'
import { TextForm } from '../forms/confirm.tsx'
import { parseDuration } from '../../../lib/time.ts'
import type { Store } from '../../shared/store.ts'
import type { AppliedAction } from '../../shared/types.ts'

const steps = {
  '1m': '1 minute',
  '1h': '1 hour',
  '2h': '2 hours',
  '1d': '1 day',
  '7d': '7 days',
} as const

export const clockMenuId = 'clock-menu'

/** Menu with commands that move, freeze and run the clock. */
export function ClockMenu() {
  const now = useStoreState((state) => state.pulse?.clock.now)
  if (now === undefined) return null
  return (
    <Menu
      name={`Clock ${formatTimestamp(now)} UTC`}
      id={clockMenuId}
      className="clock"
      label={
        <time dateTime={now}>
          <span class="wide-only">{formatTimestamp(now).slice(0, 11)}</span>
          {formatTime(now).slice(0, 5)}
          <span class="wide-only">{formatTime(now).slice(5)}</span>{' '}
          <span class="unit wide-only">UTC</span>
        </time>
      }
    >
      {(close) => <ClockForm onDone={close} />}
    </Menu>
  )
}

function ClockForm({ onDone }: { onDone: () => void }) {
  const store = useStore()
  const { api, showToast: say } = store
  const { error, isBusy, run } = useCommandRunner()
  const clock = useStoreState((state) => state.pulse?.clock)
  const hasSteps = useStoreState((state) => (state.pulse?.replay.next ?? null) !== null)
  // The menu stays open, because a second click on a step would otherwise hit what is below it.
  const { error: moveError, isBusy: isMoving, change: changeWorld } = useWorldCommands()
  const [rate, setRate] = useState('1')
  if (clock === undefined) return null
  const isRunning = clock.mode === 'running'
  const change = (body: Record<string, unknown>) =>
    run(async () => {
      const { now } = await api.send<{ now: string }>('POST', 'clock', body)
      say(`The clock shows ${formatTimestamp(now)} UTC.`)
      onDone()
    })
  // Moving the clock runs due effects, which change records. Only a snapshot can undo this.
  const move = (body: Parameters<typeof moveClock>[1], onMoved = () => {}) =>
    changeWorld({ done: (text) => text, task: 'the move of the clock' }, async () => {
      const moved = await moveClock(store, body)
      onMoved()
      return moved
    })
  return (
    <>
      <p class="help">
        {isRunning
          ? `Runs at ${clock.rate} sandbox ${clock.rate === 1 ? 'second' : 'seconds'} a second.`
          : clock.mode === 'frozen'
            ? 'Frozen. The clock changes only when you advance it.'
            : "Follows your program's fake timers."}
      </p>
      <div class="row" role="group" aria-label="Advance the clock by">
        {Object.entries(steps).map(([by, label]) => (
          <button key={by} type="button" disabled={isMoving} onClick={() => move({ advance: by })}>
            + {label}
          </button>
        ))}
      </div>
      {hasSteps && (
        <p class="warning">
          The story has steps left. A move plays the steps that become due, and they can move the
          clock further.
        </p>
      )}
      <TextForm
        label="By or to"
        placeholder="2h, 2026-10-02T09:00:00Z"
        submitLabel="Move"
        isPrimary
        isDisabled={isMoving}
        onSubmit={(text) => move(toClockChange(text), onDone)}
      />
      <div class="row">
        {isRunning && (
          <button type="button" disabled={isBusy} onClick={() => change({ mode: 'frozen' })}>
            Freeze
          </button>
        )}
        <label class="inline">
          Rate{' '}
          <input
            class="narrow"
            inputMode="decimal"
            value={rate}
            onInput={(event) => setRate(event.currentTarget.value)}
          />
        </label>
        <button
          type="button"
          disabled={isBusy}
          onClick={() => change({ mode: 'running', rate: Number(rate) })}
        >
          {isRunning ? 'Run at this rate' : 'Run'}
        </button>
      </div>
      <ErrorMessage text={error ?? moveError} />
    </>
  )
}

/** Converts text such as `2 hours and 5 min` to a clock command. */
export function toClockChange(text: string): { set: string } | { advance: string } {
  const given = text.trim()
  return /^\d{4}-/.test(given) ? { set: given } : { advance: given }
}

/** Moves the clock. Returns the new time, and what the story did on the way, as text. */
async function moveClock(
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
