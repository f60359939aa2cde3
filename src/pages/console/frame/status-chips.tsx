import { ErrorMessage } from '../forms/error-message.tsx'
import { removeFaults, useFaults } from '../actions/use-actions.ts'
import { describeFaultBriefly } from '../../shared/faults.ts'
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

type EndAction = { label: string } & ({ action: object } | { faults: readonly Fault[] })

/** Maximum number of chips for faults. */
const maxFaults = 3

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
  const { faults, isLoading } = useFaults()
  if (pulse === null) return null
  // Keeps the room of the chips, so that the panels below do not move.
  const loading = Array.from({ length: Math.min(pulse.faults, maxFaults) }, (_, place) => ({
    key: `loading ${place}`,
    text: 'Active fault',
  }))
  const faultChips = isLoading ? loading : listFaultChips(faults)
  const chips: readonly StatusChip[] = [...faultChips, ...listStatusChips(pulse, about)]
  const end = (undo: EndAction) =>
    run(async () => {
      if ('action' in undo) await api.send('POST', 'actions', undo.action)
      else {
        const run = await removeFaults(api, undo.faults)
        say(`Removed ${formatCount(undo.faults.length, 'fault')}.`, { run })
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

/** Returns a chip for each fault. If there are too many, the last chip stands for the others. */
function listFaultChips(faults: readonly Fault[]): readonly StatusChip[] {
  const own = faults.length > maxFaults ? faults.slice(0, maxFaults - 1) : faults
  const others = faults.slice(own.length)
  const chips = own.map((fault) => ({
    key: `fault ${fault.id}`,
    text: describeFaultBriefly(fault),
    undo: { label: 'Remove', faults: [fault] },
  }))
  if (others.length === 0) return chips
  const text = `${formatNumber(others.length)} more faults`
  return [...chips, { key: 'faults', text, undo: { label: 'Remove', faults: others } }]
}

function listStatusChips(pulse: Pulse, about: About | null): readonly StatusChip[] {
  const { accounts, organisations } = pulse
  const nameOf = (id: number) =>
    about?.accounts.find((each) => each.id === id)?.username ?? String(id)
  const nameOfOrganisation = (id: number) =>
    about?.organisations.find((each) => each.id === id)?.name ?? `Organisation ${id}`
  const chips: StatusChip[] = []
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
          action: { type: 'limits.set', organisation, minute: usual.minute },
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
          action: { type: 'credits.set', organisation, credits: usual.credits },
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
