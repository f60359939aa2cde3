import type { Sandbox } from '../sandbox.ts'
import { toApiKey } from '../scenario/keys.ts'
import { isLoopback } from './place.ts'

type State = ReturnType<Sandbox['control']['state']>
export type KeyRecord = Pick<State['keys'][number], 'key' | 'role' | 'organisation'>
export type OrganisationRecord = Pick<State['organisations'][number], 'id' | 'name'>

/** Warns of API keys that a stranger can work out, on a server that strangers can reach. */
export function warnOfSeededKeys({ control }: Sandbox, host: string, log: (message: string) => void): void {
  const { keys, organisations, seed } = control.state()
  if (isLoopback(host) || !keys.some((key) => isSeeded(key, organisations, seed))) return
  log(
    'Warning: the API keys follow from the seed, so anybody in the network can work them out. ' +
      "Give keys: 'random', as with --keys random or --keys-file FILE.",
  )
}

/** Whether a key is the one that the seed gives. */
export function isSeeded({ key, role, organisation }: KeyRecord, organisations: readonly OrganisationRecord[], seed: number): boolean {
  const name = organisations.find(({ id }) => id === organisation)?.name ?? ''
  return key === toApiKey(role, { seed, organisation: name })
}
