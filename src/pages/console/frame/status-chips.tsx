import { ErrorMessage } from '../forms/error-message.tsx'
import { removeFaults } from '../actions/use-actions.ts'
import { formatCount, formatNumber } from '../../shared/format.ts'
import { useCommandRunner, useStoreState, useStore } from '../../shared/hooks.ts'
import type { About, Fault, Pulse } from '../../shared/types.ts'

/** An unusual state of the sandbox, and the button that ends it. */
interface StatusChip {
  key: string
  text: string
  /** Reason why there is no button. */
  hint?: string
  undo?: EndAction
}

interface EndAction {
  label: string
  /**
   * Action that ends the state.
   * @default removes all faults
   */
  action?: object
}

/** Rate limits below this value are shown as unusual, requests per minute. */
const lowMinute = 100
/** Default values, which the buttons restore. */
const usual = { minute: 1_000, credits: 10_000 }

/** Shows unusual states of the sandbox, each with a button that ends it. */
export function StatusChips() {
  const { api, refresh, showToast: say } = useStore()
  const pulse = useStoreState((state) => state.pulse)
  const about = useStoreState((state) => state.about)
  const { error, run } = useCommandRunner()
  if (pulse === null) return null
  const chips = listStatusChips(pulse, about)
  const end = ({ action }: EndAction) =>
    run(async () => {
      if (action !== undefined) await api.send('POST', 'actions', action)
      else {
        const faults = await api.get<Fault[]>('faults')
        const run = await removeFaults(api, faults)
        say(`Removed ${formatCount(faults.length, 'fault')}.`, { run })
      }
      await refresh()
    })
  return (
    <section class="chips" aria-label="Unusual states">
      <ul>
        {chips.length === 0 && <li class="chip">All is as usual</li>}
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
                onClick={() => end(undo)}
              >
                {undo.label}
              </button>
            )}
          </li>
        ))}
      </ul>
      <ErrorMessage text={error} />
    </section>
  )
}

function listStatusChips(pulse: Pulse, about: About | null): readonly StatusChip[] {
  const { faults, accounts, organisations } = pulse
  const nameOf = (id: number) =>
    about?.accounts.find((each) => each.id === id)?.username ?? String(id)
  const nameOfOrganisation = (id: number) =>
    about?.organisations.find((each) => each.id === id)?.name ?? `Organisation ${id}`
  const chips: StatusChip[] = []
  if (faults > 0)
    chips.push({
      key: 'faults',
      text: formatCount(faults, 'active fault'),
      undo: { label: 'Remove' },
    })
  for (const { id, session, connected } of accounts) {
    if (!connected)
      chips.push({
        key: `gone ${id}`,
        text: `${nameOf(id)} is disconnected`,
        undo: { label: 'Connect', action: { type: 'account.connect', account_id: id } },
      })
    else if (session !== 'active')
      chips.push({
        key: `session ${id}`,
        text: `Session of ${nameOf(id)} lapsed`,
        undo: { label: 'Restore', action: { type: 'session.restore', account_id: id } },
      })
  }
  for (const { id: organisation, limits, credits, used } of organisations) {
    if (limits.minute < lowMinute)
      chips.push({
        key: `limits ${organisation}`,
        text: `${nameOfOrganisation(organisation)}: ${formatNumber(limits.minute)} requests a minute`,
        undo: {
          label: `Allow ${formatNumber(usual.minute)}`,
          action: {
            type: 'limits.set',
            organisation,
            minute: usual.minute,
          },
        },
      })
    else if (used.minute >= limits.minute || used.day >= limits.day)
      chips.push({
        key: `full ${organisation}`,
        text: `${nameOfOrganisation(organisation)}: the rate limit is reached`,
      })
    if (credits === 0)
      chips.push({
        key: `credits ${organisation}`,
        text: `${nameOfOrganisation(organisation)}: no credits left`,
        undo: {
          label: `Give ${formatNumber(usual.credits)}`,
          action: {
            type: 'credits.set',
            organisation,
            credits: usual.credits,
          },
        },
      })
  }
  return [...chips, ...listVariationChips(pulse, about)]
}

/** Returns the status chips for variations and for an overlay. */
function listVariationChips({ variation }: Pulse, about: About | null): readonly StatusChip[] {
  const chips: StatusChip[] = []
  if (variation !== null)
    chips.push({
      key: 'variation',
      text: `Responses vary: ${variation.only?.join(', ') ?? 'in every way'}`,
      undo: { label: 'Stop', action: { type: 'variation.set', seed: null } },
    })
  const overlay = about?.overlay ?? null
  if (overlay !== null)
    chips.push({
      key: 'overlay',
      text: `An overlay changes ${formatCount(overlay.length, 'route')}`,
      hint:
        `${overlay.join(', ')}. It was given when the server started, and stays until the ` +
        `server starts without it.`,
    })
  return chips
}
