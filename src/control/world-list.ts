import { NotFoundError } from '../api/check-input.ts'
import type * as inputs from '../generated/inputs.ts'
import type { JournalRow } from '../world/journal/journal-entry.ts'
import { sortInSlices } from '../world/work.ts'
import type { Work } from '../world/work.ts'
import type { ControlHost } from './control-host.ts'
import { toJournalQuery } from './journal-query.ts'
import { readAccounts } from './sandbox-state.ts'
import type { Accounts, Keys, SandboxState } from './sandbox-state.ts'
import { describeValue } from '../errors.ts'

/** Information about an isolated world: its name, keys and accounts. */
export interface WorldSummary {
  /** Name of the world, as in `?world=`. */
  id: string
  /** API keys by role. Each key consists of a sandbox key, `~` and the world's name. */
  keys: Keys
  accounts: Accounts<SandboxState['accounts'][number]>
}

/** A journal entry and its world. */
export interface WorldRow extends JournalRow {
  /** Name of the isolated world, or null for the main world. */
  world: string | null
}

/** Creates the error for a world that does not exist. */
export function createUnknownWorldError(name: string): NotFoundError {
  return new NotFoundError(
    `Failed to find the world ${describeValue(name)}: it does not exist. GET /_sandbox/worlds lists the ` +
      'worlds, and POST /_sandbox/worlds {"name": …} creates one.',
  )
}

/** Summarises a world without running due effects. */
export function summariseWorld({ worldName, world, active }: ControlHost): WorldSummary {
  return {
    id: worldName ?? world.id,
    keys: active.keys as Keys,
    accounts: readAccounts(world) as unknown as WorldSummary['accounts'],
  }
}

/** Returns the result of `requestRowsOfAllWorlds` in small units of work. */
export function* readRowsOfAllWorlds(
  host: ControlHost,
  filter: inputs.RequestFilter,
): Work<WorldRow[]> {
  // Ids are specific to a world.
  const query = toJournalQuery({ ...filter, before: undefined }, host.routeNames)
  const runtimes = [host, ...host.worlds.list().map(({ runtime }) => runtime)]
  const journals = runtimes.map((runtime) => runtime.use().journal)
  const rows: WorldRow[] = []
  for (const [index, journal] of journals.entries())
    for (const row of yield* journal.readRows(query))
      rows.push({ ...row, world: runtimes[index]?.worldName ?? null })
  const sorted = yield* sortInSlices(
    rows,
    (a, b) => (b.real_at ?? b.at).localeCompare(a.real_at ?? a.at) || b.id - a.id,
  )
  return sorted.slice(0, filter.limit)
}
