import { useState } from 'preact/hooks'
import { toMoment } from '../shared/format.ts'
import { useDeed, useShared, useStore } from '../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { Problem } from '../shared/problem.tsx'

const strides = { '1m': '+1 minute', '1h': '+1 hour', '1d': '+1 day' } as const

/** The time of the sandbox, and the controls that move it. */
export function ClockPanel() {
  const { api } = useStore()
  const { error, run } = useDeed()
  const clock = useShared((state) => state.pulse?.clock)
  const [duration, setDuration] = useState('')
  const [rate, setRate] = useState('1')
  if (clock === undefined) return null
  const change = (body: Record<string, unknown>) => run(() => api.send('POST', 'clock', body))
  const isRunning = clock.mode === 'running'
  const submit = (event: Event) => {
    event.preventDefault()
    change(
      /^\d{4}-/.test(duration.trim()) ? { set: duration.trim() } : { advance: duration.trim() },
    )
  }
  return (
    <Panel title="Clock">
      <p class="figure">
        <time dateTime={clock.now}>{toMoment(clock.now)}</time> <span class="unit">UTC</span>
      </p>
      <p class="help">
        {isRunning
          ? `Running: ${clock.rate} sandbox ${clock.rate === 1 ? 'second' : 'seconds'} a second.`
          : clock.mode === 'frozen'
            ? 'Standing still until it is moved.'
            : 'Following a function of the program.'}
      </p>
      <div class="row">
        {Object.entries(strides).map(([by, label]) => (
          <button key={by} type="button" onClick={() => change({ advance: by })}>
            {label}
          </button>
        ))}
      </div>
      <form class="row" onSubmit={submit}>
        <label for="clock-by">Move on by, or to</label>
        <input
          id="clock-by"
          class="grow"
          placeholder="2h 30m, or 2026-10-02T09:00:00Z"
          value={duration}
          onInput={(event) => setDuration(event.currentTarget.value)}
        />
        <button type="submit">Move</button>
      </form>
      <div class="row">
        {isRunning && (
          <button type="button" onClick={() => change({ mode: 'frozen' })}>
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
        <button type="button" onClick={() => change({ mode: 'running', rate: Number(rate) })}>
          {isRunning ? 'Run at this rate' : 'Run'}
        </button>
      </div>
      <Problem text={error} />
    </Panel>
  )
}
