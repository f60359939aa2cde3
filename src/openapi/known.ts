import type { Control } from '../control/control.ts'
import type { Examples, Samples } from '../engine/resource.ts'
import { allResources } from '../world/resources.ts'
import { groups } from './groups.ts'

/** What can be sent to a sandbox as it is, by the name of the parameter or of the body's field; undefined is what the sandbox lacks. */
export type Known = Required<Examples>

/** Looks once for ids of the first connected account, and tells what of them fits the routes of a group. */
export function readKnown(control: Control): (group: string) => Known {
  const account = findAccount(control)
  if (account === undefined) return () => ({ address: {}, body: words })
  const any: Samples['any'] = (table, fields = {}) => findRecord(control, table, fields)
  const samples: Samples = { account, any, own: (table, fields) => any(table, { accountId: account, ...fields }) }
  const common = merge([{ body: words }, ...allResources.map((resource) => resource.examples?.(samples) ?? {})])
  const byGroup = new Map(
    Object.entries(groups).map(([name, { examples }]) => [name, examples === undefined ? common : merge([common, examples(samples)])]),
  )
  return (group) => byGroup.get(group) ?? common
}

function merge(examples: readonly Examples[]): Known {
  return {
    address: Object.assign({}, ...examples.map(({ address }) => address)),
    body: Object.assign({}, ...examples.map(({ body }) => body)),
  }
}

/** Words for fields that take any. */
const words = {
  text: 'Hello',
  name: 'Spring',
  trialLinkName: 'Spring',
  custom_name: 'Spring',
  label: 'For a partner',
  note: 'Likes the early posts.',
  notice: 'Likes the early posts.',
  displayName: 'Spring fan',
  reason: 'Spam',
  city: 'Berlin',
  color: '#d9480f',
  subscribeDays: 7,
}

/** The first connected account of the organisation whose key the reference page begins with; better one whose session runs. */
function findAccount(control: Control): number | undefined {
  const { keys, accounts } = control.state()
  const organisation = (keys.find(({ role }) => role === 'owner') ?? keys[0])?.organisation
  const own = accounts.filter((account) => account.connected && account.organisation === organisation)
  return (own.find(({ session }) => session === 'active') ?? own[0])?.id
}

/** The first record with those fields; one without any where there is none. */
function findRecord(control: Control, table: string, fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const filters = Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, String(value)]))
  return (control.data(table, { limit: 1, filters }).items[0] ?? {}) as Readonly<Record<string, unknown>>
}
