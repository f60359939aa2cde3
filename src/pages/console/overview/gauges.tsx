import { useId, useRef } from 'preact/hooks'
import { formatNumber } from '../../shared/format.ts'
import { useStoreState } from '../../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { toHash } from '../shared/place.ts'

/** Shows the rate windows and credits of each organisation. */
export function GaugesPanel() {
  const organisations = useStoreState((state) => state.pulse?.organisations) ?? []
  const names = useStoreState((state) => state.about?.organisations)
  return (
    <Panel title="Windows and credits">
      <div class="scrolls" tabIndex={0} role="group" aria-label="Windows and credits">
        {organisations.map(({ id, limits, used, credits }) => (
          <div key={id} class="gauges">
            <h3>{names?.find((each) => each.id === id)?.name ?? `Organisation ${id}`}</h3>
            <Gauge
              label="This minute"
              value={used.minute}
              max={limits.minute}
              text={`${formatNumber(used.minute)} of ${formatNumber(limits.minute)} requests`}
            />
            <Gauge
              label="Today"
              value={used.day}
              max={limits.day}
              text={`${formatNumber(used.day)} of ${formatNumber(limits.day)} requests`}
            />
            {credits === null ? (
              <p class="help">
                Credits are not counted.{' '}
                <a
                  href={toHash({
                    view: 'actions',
                    item: 'credits.set',
                    filters: { organisation: String(id), credits: '10000' },
                  })}
                >
                  Count them
                </a>
              </p>
            ) : (
              <Credits left={credits} />
            )}
          </div>
        ))}
      </div>
    </Panel>
  )
}

/**
 * Gauge of the remaining credits. The initial number is unknown, so the maximum is the highest
 * number seen so far.
 */
function Credits({ left }: { left: number }) {
  const highest = useRef(left)
  highest.current = Math.max(highest.current, left)
  return (
    <Gauge
      label="Credits"
      value={left}
      max={highest.current}
      text={`${formatNumber(left)} left`}
      isLeft
    />
  )
}

export function Gauge({
  label,
  value,
  max,
  text,
  isLeft = false,
}: {
  label: string
  value: number
  max: number
  text: string
  isLeft?: boolean
}) {
  const id = useId()
  const full = Math.max(1, max)
  const [low, high] = isLeft ? [full * 0.1, full * 0.3] : [full * 0.7, full * 0.9]
  return (
    <div class="gauge">
      <label for={id}>{label}</label>
      <meter
        id={id}
        min={0}
        max={full}
        low={low}
        high={high}
        optimum={isLeft ? full : 0}
        value={Math.min(value, full)}
      >
        {text}
      </meter>
      <span class="reading">{text}</span>
    </div>
  )
}
