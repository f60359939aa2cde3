import { worldOfPage } from '../shared/api.ts'
import { toCount, toNumber } from '../shared/format.ts'
import { useDeed, useShared, useStore } from '../shared/hooks.ts'
import { Problem } from '../shared/problem.tsx'
import type { About, Pulse } from '../shared/types.ts'

/** Something that is not as it is used to be, and what puts it right. */
interface Chip {
  key: string
  text: string
  /** Why nothing here undoes it. */
  hint?: string
  undo?: { label: string; method: 'POST' | 'DELETE'; path: string; body?: unknown }
}

/** A window of fewer requests a minute is worth a word. */
const tightMinute = 100
const usual = { minute: 1_000, day: 50_000, credits: 10_000 }

/** Whatever is not normal, each with the button that undoes it. */
export function Chips() {
  const { api, refresh } = useStore()
  const pulse = useShared((state) => state.pulse)
  const about = useShared((state) => state.about)
  const { error, run } = useDeed()
  if (pulse === null) return null
  const world = worldOfPage()
  const chips = chipsOf(pulse, about)
  return (
    <section class="chips" aria-label="What is not as usual">
      <ul>
        {world === undefined && chips.length === 0 && <li class="chip">All is as usual</li>}
        {world !== undefined && (
          <li class="chip">
            World {world} <a href="./">main world</a>
          </li>
        )}
        {chips.map(({ key, text, hint, undo }) => (
          <li key={key} class="chip warn">
            {text}
            {hint !== undefined && (
              <details class="hint">
                <summary>Why it stays</summary>
                <p>{hint}</p>
              </details>
            )}
            {undo !== undefined && (
              <button
                type="button"
                class="small"
                aria-label={`${undo.label}: ${text}`}
                onClick={() => run(() => api.send(undo.method, undo.path, undo.body).then(refresh))}
              >
                {undo.label}
              </button>
            )}
          </li>
        ))}
      </ul>
      <Problem text={error} />
    </section>
  )
}

function chipsOf(pulse: Pulse, about: About | null): readonly Chip[] {
  const { faults, accounts, organisations } = pulse
  const act = (label: string, action: object) => ({
    label,
    method: 'POST' as const,
    path: 'actions',
    body: action,
  })
  const nameOf = (id: number) =>
    about?.accounts.find((each) => each.id === id)?.username ?? String(id)
  const chips: Chip[] = []
  if (faults > 0)
    chips.push({
      key: 'faults',
      text: faults === 1 ? '1 fault in force' : `${toNumber(faults)} faults in force`,
      undo: { label: 'Lift', method: 'DELETE', path: 'faults' },
    })
  for (const { id, session, connected } of accounts) {
    if (!connected)
      chips.push({
        key: `gone ${id}`,
        text: `${nameOf(id)} is disconnected`,
        undo: act('Connect', { type: 'account.connect', account_id: id }),
      })
    else if (session !== 'active')
      chips.push({
        key: `session ${id}`,
        text: `Session of ${nameOf(id)} lapsed`,
        undo: act('Restore', { type: 'session.restore', account_id: id }),
      })
  }
  for (const { id: organisation, limits, credits, used } of organisations) {
    if (limits.minute < tightMinute)
      chips.push({
        key: `limits ${organisation}`,
        text: `${toNumber(limits.minute)} requests a minute`,
        undo: act(`Allow ${toNumber(usual.minute)}`, {
          type: 'limits.set',
          organisation,
          minute: usual.minute,
        }),
      })
    else if (used.minute >= limits.minute || used.day >= limits.day)
      chips.push({ key: `full ${organisation}`, text: 'The window is full' })
    if (credits === 0)
      chips.push({
        key: `credits ${organisation}`,
        text: 'No credits left',
        undo: act(`Give ${toNumber(usual.credits)}`, {
          type: 'credits.set',
          organisation,
          credits: usual.credits,
        }),
      })
  }
  return [...chips, ...edgeChips(pulse, about)]
}

/**
 * What lets the sandbox answer otherwise than it is written. An overlay is of the server: it goes
 * with another start alone.
 */
function edgeChips({ variation }: Pulse, about: About | null): readonly Chip[] {
  const chips: Chip[] = []
  if (variation !== null)
    chips.push({
      key: 'variation',
      text: `Answers vary: ${variation.only?.join(', ') ?? 'in every way'}`,
      undo: {
        label: 'Stop',
        method: 'POST',
        path: 'actions',
        body: { type: 'variation.set', seed: null },
      },
    })
  const overlay = about?.overlay ?? null
  if (overlay !== null)
    chips.push({
      key: 'overlay',
      text: `An overlay changes ${toCount(overlay.length, 'route')}`,
      hint:
        `${overlay.join(', ')}. It was given when the server started, and stays until it ` +
        `starts without.`,
    })
  return chips
}
