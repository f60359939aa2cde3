import { useState } from 'preact/hooks'
import { worldOfPage } from '../shared/api.ts'
import { useDeed, useLoad, useShared, useStore } from '../shared/hooks.ts'
import { Menu } from '../shared/menu.tsx'
import { Problem } from '../shared/problem.tsx'
import type { WorldSummary } from '../shared/types.ts'

const hues = 8

/** The mark of a world. The same name has the same colour everywhere; the main world has none. */
export function WorldMark({ world }: { world: string | null }) {
  const sum = [...(world ?? '')].reduce((total, letter) => total * 31 + letter.charCodeAt(0), 7)
  return (
    <span class={`world-mark ${world === null ? 'main' : `hue-${Math.abs(sum) % hues}`}`}>
      {world ?? 'main'}
    </span>
  )
}

/** The world of the page in the header. It opens the list of the others. */
export function WorldMenu() {
  const world = worldOfPage()
  const others = useShared((state) => state.about?.worlds.open ?? 0)
  const more = world === undefined && others > 0 ? ` +${others}` : ''
  return (
    <Menu
      name={`World ${world ?? 'main'}${more}`}
      label={
        <>
          <WorldMark world={world ?? null} />
          {more !== '' && <span class="unit">{more}</span>}
        </>
      }
    >
      {(close) => <WorldList onLeave={close} />}
    </Menu>
  )
}

function WorldList({ onLeave }: { onLeave: () => void }) {
  const { api } = useStore()
  const { error, isBusy, run } = useDeed()
  const [name, setName] = useState('')
  const { data: worlds = [], error: problem } = useLoad(
    () => api.get<WorldSummary[]>('worlds', { world: undefined }),
    '',
  )
  const current = worldOfPage() ?? null
  const fork = () =>
    run(async () => {
      const body = name.trim() === '' ? {} : { name: name.trim() }
      const { id } = await api.send<WorldSummary>('POST', 'worlds', body, { world: undefined })
      await api.copyTo(id)
      location.href = linkOf(id)
    })
  return (
    <>
      <nav class="menu-list" aria-label="Worlds">
        {[null, ...worlds.map(({ id }) => id)].map((id) => (
          <a key={id} href={linkOf(id)} aria-current={id === current ? 'page' : undefined}>
            <WorldMark world={id} />
          </a>
        ))}
      </nav>
      <a href="#requests?worlds=all" onClick={onLeave}>
        Requests of all worlds
      </a>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          fork()
        }}
      >
        <label class="inline grow">
          Name{' '}
          <input
            class="grow"
            placeholder="w1, w2, …"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={isBusy}>
          Fork this world
        </button>
      </form>
      <Problem text={error ?? problem} />
    </>
  )
}

function linkOf(world: string | null): string {
  return (world === null ? './' : `./?world=${encodeURIComponent(world)}`) + location.hash
}
