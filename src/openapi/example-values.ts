import type { Control } from '../control/control.ts'
import type { Examples, Samples } from '../api/resource.ts'
import { allResources } from '../resources/all-resources.ts'
import { words } from './field-examples.ts'
import { groups } from './groups.ts'

/**
 * Example values by parameter or body field name, or undefined if the sandbox has no suitable
 * value.
 */
export type ExampleValues = Required<Examples>

/**
 * Reads example values from the first connected account. The returned function selects the values
 * for a group of routes.
 */
export function readExampleValues(control: Control): (group: string) => ExampleValues {
  const account = findAccount(control)
  if (account === undefined) return () => ({ address: {}, body: words })
  const any: Samples['any'] = (table, fields = {}) => findRecord(control, table, fields)
  const samples: Samples = {
    account,
    any,
    own: (table, fields) => any(table, { accountId: account, ...fields }),
  }
  const common = merge([
    { body: words },
    ...allResources.map((resource) => resource.examples?.(samples) ?? {}),
  ])
  const byGroup = new Map(
    Object.entries(groups).map(([name, { examples }]) => [
      name,
      examples === undefined ? common : merge([common, examples(samples)]),
    ]),
  )
  return (group) => byGroup.get(group) ?? common
}

function merge(examples: readonly Examples[]): ExampleValues {
  return {
    address: Object.assign({}, ...examples.map(({ address }) => address)),
    body: Object.assign({}, ...examples.map(({ body }) => body)),
  }
}

/**
 * Returns the first owner's key, or else the first key.
 *
 * @note `control.state()` also returns the keys, but counts all records.
 */
export function findOwnerKey(control: Control): { key: string; organisation: number } {
  const keys = control.data('apiKeys').items as readonly {
    key: string
    role: string
    organisation: number
  }[]
  return keys.find(({ role }) => role === 'owner') ?? keys[0] ?? { key: '', organisation: 0 }
}

/**
 * Finds a connected account in the default key's organisation, preferably one with an active
 * session.
 */
function findAccount(control: Control): number | undefined {
  const { organisation } = findOwnerKey(control)
  const accounts = control.data('accounts', { limit: maxSearched }).items as readonly {
    id: number
    organisation: number
    connected: boolean
    session: string
  }[]
  const candidates = accounts.filter((each) => each.organisation === organisation && each.connected)
  return (candidates.find(({ session }) => session === 'active') ?? candidates[0])?.id
}

/** Number of rows of a table that are searched for an example. Large tables take too long. */
const maxSearched = 10_000

/** Returns the first record with the given fields, or an empty object if there is none. */
function findRecord(
  control: Control,
  table: string,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const records = control.data(table, { limit: maxSearched }).items as readonly Readonly<
    Record<string, unknown>
  >[]
  const entries = Object.entries(fields)
  return records.find((record) => entries.every(([name, value]) => record[name] === value)) ?? {}
}
