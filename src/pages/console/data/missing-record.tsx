import { getPageWorld, toWorldUrl } from '../../shared/api.ts'
import { useLoadedData, useStore } from '../../shared/hooks.ts'
import { toHash } from '../shared/place.ts'
import { tableOfKind, toRecordHref } from '../shared/records.ts'
import type { WorldSummary } from '../../shared/types.ts'

/** Maximum number of other worlds to link to. */
const maxWorlds = 5

/** Says that a record does not exist, with links to the places where it may be. */
export function MissingRecord({ table, id }: { table: string; id: string }) {
  const { api } = useStore()
  const { data: worlds = [] } = useLoadedData(
    () => api.get<WorldSummary[]>('worlds', { world: undefined }),
    '',
  )
  const current = getPageWorld() ?? null
  const others = [null, ...worlds.map(({ id: name }) => name)].filter((name) => name !== current)
  const kind = Object.entries(tableOfKind).find(([, each]) => each === table)?.[0]
  const subject = kind?.replaceAll('_', ' ') ?? `record of ${table}`
  return (
    <>
      <p class="warning" role="status">
        {`No ${subject} ${id} in this world. It may have been deleted, or it may belong to ` +
          'another world.'}
      </p>
      <nav class="row" aria-label="Where it may be">
        <a href={toHash({ view: 'data', item: table })}>All {table} of this world</a>
        <a href={toHash({ view: 'data', item: table, filters: { since: 'load' } })}>
          What changed since load
        </a>
        {others.slice(0, maxWorlds).map((name) => (
          <a key={name} href={toWorldUrl(name, toRecordHref(table, id))}>
            Look in the world {name ?? 'main'}
          </a>
        ))}
      </nav>
    </>
  )
}
