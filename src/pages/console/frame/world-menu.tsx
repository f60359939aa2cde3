import { ErrorMessage } from '../forms/error-message.tsx'
import { toWorldUrl, getPageWorld } from '../../shared/api.ts'
import { ConfirmButton, TextForm } from '../forms/confirm.tsx'
import { useCommandRunner, useLoadedData, useStoreState, useStore } from '../../shared/hooks.ts'
import { Menu } from '../shared/menu.tsx'
import { readPlace, toHash } from '../shared/place.ts'
import type { WorldSummary } from '../../shared/types.ts'

const hues = 8

/** Shows the name of a world in a colour derived from the name. The main world has no colour. */
export function WorldBadge({ world }: { world: string | null }) {
  const sum = [...(world ?? '')].reduce((total, letter) => total * 31 + letter.charCodeAt(0), 7)
  return (
    <span class={`world-mark ${world === null ? 'main' : `hue-${Math.abs(sum) % hues}`}`}>
      {world ?? 'main'}
    </span>
  )
}

export const worldMenuId = 'world-menu'

/** Menu with the other worlds, and with commands that create, fork and remove worlds. */
export function WorldMenu() {
  const world = getPageWorld()
  const others = useStoreState((state) => state.pulse?.worlds?.open ?? 0)
  const more = world === undefined && others > 0 ? ` +${others}` : ''
  return (
    <Menu
      name={`World ${world ?? 'main'}${more}`}
      id={worldMenuId}
      label={
        <>
          <WorldBadge world={world ?? null} />
          {more !== '' && <span class="unit">{more}</span>}
        </>
      }
    >
      {(close) => <WorldList onLeave={close} />}
    </Menu>
  )
}

/**
 * Returns a hash that opens the current view in another world. Omits the open item, because it
 * exists only in this world.
 */
function getHashForOtherWorld(): string {
  const { view, item, filters } = readPlace(location.hash)
  const {
    made: _made,
    from: _from,
    record: _record,
    since: _since,
    at: _at,
    ...others
  } = filters ?? {}
  const isKept = view === 'data' || view === 'actions'
  return toHash({ view, item: isKept ? item : undefined, filters: others })
}

function WorldList({ onLeave }: { onLeave: () => void }) {
  const { api, refresh } = useStore()
  const { error, isBusy, run } = useCommandRunner()
  const {
    data: worlds = [],
    error: loadError,
    reload,
  } = useLoadedData(() => api.get<WorldSummary[]>('worlds', { world: undefined }), '')
  const current = getPageWorld() ?? null
  const create = (name: string, isFork: boolean) =>
    run(async () => {
      const body = { name: name.trim() === '' ? undefined : name.trim(), fork: isFork }
      const { id } = await api.send<WorldSummary>('POST', 'worlds', body)
      location.href = toWorldUrl(id, getHashForOtherWorld())
    })
  const remove = (id: string) =>
    run(async () => {
      await api.send('DELETE', `worlds/${encodeURIComponent(id)}`, undefined, { world: undefined })
      if (id === current) location.href = toWorldUrl(null, getHashForOtherWorld())
      else await refresh()
      reload()
    })
  return (
    <>
      <p class="help">
        A world has its own data, clock and journal. A key with the suffix ~NAME leads to it.
      </p>
      <nav class="menu-list" aria-label="Worlds">
        {[null, ...worlds.map(({ id }) => id)].map((id) => (
          <div key={id} class="row">
            <a
              class="grow"
              href={toWorldUrl(id, getHashForOtherWorld())}
              aria-current={id === current ? 'page' : undefined}
            >
              <WorldBadge world={id} />
            </a>
            {id !== null && (
              <ConfirmButton
                label="Remove"
                className="danger"
                name={`Remove the world ${id}`}
                question={`Remove the world ${id} with all its data? This cannot be undone.`}
                isDisabled={isBusy}
                onConfirm={() => remove(id)}
              />
            )}
          </div>
        ))}
      </nav>
      <a href="#requests?worlds=all" onClick={onLeave}>
        Requests of all worlds
      </a>
      <TextForm
        label="Name"
        placeholder="w1, w2, …"
        submitLabel="Fork this world"
        isPrimary
        isDisabled={isBusy}
        onSubmit={(name) => create(name, true)}
      >
        {(name) => (
          <button type="button" disabled={isBusy} onClick={() => create(name, false)}>
            New world
          </button>
        )}
      </TextForm>
      <ErrorMessage text={error ?? loadError} />
    </>
  )
}
