import { useState } from 'preact/hooks'
import { worldOfPage } from '../shared/api.ts'
import { ConfirmButton } from '../shared/confirm.tsx'
import { toCount } from '../shared/format.ts'
import { useDeed, useLoad, useStore } from '../shared/hooks.ts'
import { Panel } from '../shared/panel.tsx'
import { Problem } from '../shared/problem.tsx'
import type { WorldSummary } from '../shared/types.ts'

/** The isolated worlds, with commands to open, make, fork and remove them. */
export function WorldsPanel() {
  const { api } = useStore()
  const { error, isBusy, run } = useDeed()
  const [turn, setTurn] = useState(0)
  const [name, setName] = useState('')
  const { data: worlds = [], error: problem } = useLoad(
    () => api.get<WorldSummary[]>('worlds'),
    String(turn),
  )
  const reload = () => setTurn((before) => before + 1)
  const make = (isCopy: boolean) =>
    run(async () => {
      const { id } = await api.send<WorldSummary>(
        'POST',
        'worlds',
        name.trim() === '' ? {} : { name: name.trim() },
      )
      if (isCopy) await api.copyTo(id)
      setName('')
      reload()
    })
  return (
    <Panel
      title="Worlds"
      aside={<span class="help">{toCount(worlds.length, 'isolated world')}</span>}
    >
      <p class="help">
        An isolated world has its own data, clock and journal. A key followed by ~NAME reaches it.
      </p>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          make(false)
        }}
      >
        <label class="inline">
          Name{' '}
          <input
            value={name}
            placeholder="w1, w2, …"
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={isBusy}>
          Make a fresh world
        </button>
        <button type="button" disabled={isBusy} onClick={() => make(true)}>
          Fork this world
        </button>
      </form>
      <Problem text={error ?? problem} />
      <ul class="list">
        {worldOfPage() !== undefined && (
          <li>
            <strong class="grow">The main world</strong> <a href="./#worlds">Open</a>
          </li>
        )}
        {worlds.map(({ id, accounts }) => (
          <li key={id}>
            <div class="grow">
              <strong>{id}</strong> {id === worldOfPage() && <span class="badge">this page</span>}
              <div class="help">{accounts.map(({ username }) => username).join(', ')}</div>
            </div>
            {id !== worldOfPage() && <a href={`./?world=${encodeURIComponent(id)}#worlds`}>Open</a>}
            <ConfirmButton
              label="Remove"
              name={`Remove the world ${id}`}
              question={`Remove the world ${id} with all its data? This cannot be undone.`}
              onConfirm={() =>
                run(() => api.send('DELETE', `worlds/${encodeURIComponent(id)}`).then(reload))
              }
            />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
