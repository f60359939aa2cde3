import type { Log } from '../../lib/log.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { toApiKey } from '../../scenario/keys.ts'
import { isLoopback } from './place.ts'

type State = ReturnType<Sandbox['control']['state']>
export type KeyRecord = Pick<State['keys'][number], 'key' | 'role'>

/** Warns of API keys that a stranger can work out, on a server that strangers can reach. */
export function warnOfSeededKeys({ control }: Sandbox, host: string, log: Log): void {
  if (isLoopback(host) || !control.state().keys.some(isUsual)) return
  log(
    'Warning: the API keys follow from their roles, so anybody in the network can work them out. ' +
      "Give keys: 'random', as with --keys random or --keys-file FILE.",
    'note',
  )
}

/** Whether a key is the usual one of its role. */
export function isUsual({ key, role }: KeyRecord): boolean {
  return key === toApiKey(role)
}
