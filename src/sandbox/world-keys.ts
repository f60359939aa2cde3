import type { KeySource } from '../api/api-keys.ts'
import { getSnapshotRows } from '../data/tables.ts'
import { allResources } from '../resources/all-resources.ts'
import type { World } from '../resources/world.ts'
import type { ScenarioHeader } from '../scenario/prepare.ts'
import type { ApiKey } from '../world/tenancy/tenancy.table.ts'
import { addWorldToKey, mainId, removeWorldFromKey } from '../world/world-name.ts'
import type { WorldSnapshot } from '../world/world-state.ts'

/**
 * Replaces keys and other secrets that were copied from another world. Uses the keys in `origin` if
 * they exist. Otherwise, appends the world name in `id` to the copied keys.
 */
export function renewSecrets(
  world: World,
  { id = mainId, origin }: { id?: string; origin?: WorldSnapshot } = {},
): void {
  renewKeys(world, getKeyRecords(origin), ({ key }) =>
    addWorldToKey(removeWorldFromKey(key, id), world.id),
  )
  for (const { renewSecrets: renew } of allResources) renew?.(world, origin)
}

/**
 * Replaces the key of each record. Uses the known key for the id of the record, or else the result
 * of `give`.
 */
export function renewKeys(
  { db }: World,
  known: readonly ApiKey[],
  give: (record: ApiKey) => string,
): void {
  // Loads the rows without validation, because they are known to be valid.
  db.apiKeys.load(
    db.apiKeys.all().map((record) => ({
      ...record,
      key: known.find(({ id }) => id === record.id)?.key ?? give(record),
    })),
  )
}

/** Returns the API keys in a snapshot. */
export function getKeyRecords(snapshot: WorldSnapshot | undefined): readonly ApiKey[] {
  return snapshot === undefined ? [] : getSnapshotRows<ApiKey>(snapshot.tables, 'apiKeys')
}

/** Creates the API keys of a scenario, by role. */
export function toKeys(
  { organisations }: ScenarioHeader,
  keys: KeySource,
  seed: number,
): Record<string, string> {
  return Object.fromEntries(
    organisations.flatMap(({ name, roles }) =>
      roles.map((role) => [role, keys.getKey(role, { seed, organisation: name })]),
    ),
  )
}
