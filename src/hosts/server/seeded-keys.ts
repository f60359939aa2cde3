import type { Log } from '../../lib/log.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { toApiKey } from '../../scenario/keys.ts'
import { isLoopback } from './place.ts'

type State = ReturnType<Sandbox['control']['state']>
export type KeyRecord = Pick<State['keys'][number], 'key' | 'role'>

/** Warns about guessable API keys on a server that is open to the network. */
export function warnOfSeededKeys({ control }: Sandbox, host: string, log: Log): void {
  if (isLoopback(host) || !control.state().keys.some(isUsual)) return
  log(
    'Warning: the API keys are derived from their roles, so other machines can guess them. ' +
      "Give keys: 'random', as with --keys random or --keys-file FILE.",
    'note',
  )
}

/** True if a key is the seeded one of its role. */
export function isUsual({ key, role }: KeyRecord): boolean {
  return key === toApiKey(role)
}
