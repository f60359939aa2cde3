import { useState } from 'preact/hooks'
import { toCount, toNumber } from '../shared/format.ts'
import { useDeed, useLoad, useShared, useStore } from '../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { toHash } from '../shared/place.ts'
import { Problem } from '../shared/problem.tsx'
import type { Audit } from '../shared/types.ts'
import { CostPanel } from './cost.tsx'

/** How often the audit follows new requests, ms. */
const followMs = 2_000

const badges = { error: 'badge bad', warning: 'badge warn', hint: 'badge' } as const

/** What clients do wrong, and what they spent. */
export function AuditPanel() {
  const { api } = useStore()
  const total = useShared((state) => state.requests.total)
  const [turn, setTurn] = useState(0)
  const { error, run } = useDeed()
  const { data, error: problem } = useLoad(
    () => api.get<Audit>('audit'),
    `${total} ${turn}`,
    followMs,
  )
  if (data === undefined)
    return (
      <Panel title="Audit">
        <Problem text={problem} />
      </Panel>
    )
  const begin = () =>
    run(() => api.send('POST', 'checkpoint').then(() => setTurn((before) => before + 1)))
  return (
    <div class="split">
      <Panel
        title="Audit"
        aside={
          <button type="button" onClick={begin}>
            Begin anew from here
          </button>
        }
      >
        <Problem text={error ?? problem} />
        <p class="help">{toCount(data.summary.requests, 'request')} of clients judged.</p>
        {data.findings.length === 0 ? (
          <p class="done">Nothing to find fault with.</p>
        ) : (
          <ul class="list findings">
            {data.findings.map(({ rule, severity, message, advice, source, requests }, index) => (
              <li key={`${rule} ${index}`}>
                <span class={badges[severity]}>{severity}</span>
                <div class="grow">
                  <strong>{message}</strong>
                  <p>{advice}</p>
                  <p class="help">
                    <code>{rule}</code>, {source}.{' '}
                    {requests.slice(0, 8).map((id) => (
                      <a key={id} href={toHash({ view: 'requests', item: String(id) })}>
                        {id}{' '}
                      </a>
                    ))}
                    {requests.length > 8 && `and ${toNumber(requests.length - 8)} more`}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
        <List title="Never met" items={data.summary.untried} />
        <List title="Permissions used" items={data.summary.smallestRole} />
      </Panel>
      <CostPanel cost={data.cost} />
    </div>
  )
}

function List({ title, items }: { title: string; items: readonly string[] }) {
  if (items.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <p class="help">{items.join(', ')}</p>
    </>
  )
}
