import type { Log } from '../../lib/log.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { getDefaultApiKey } from '../../api/api-keys.ts'
import { isLoopbackHost } from '../../lib/url.ts'

type State = ReturnType<Sandbox['control']['state']>
export type KeyRecord = Pick<State['keys'][number], 'key' | 'role'>

/** Warns about guessable API keys if other machines can reach the server. */
export function warnAboutSeededKeys({ control }: Sandbox, host: string, log: Log): void {
  if (isLoopbackHost(host) || !control.state().keys.some(isSeededKey)) return
  log(
    'Warning: the API keys are derived from their roles, so other machines can guess them. Use ' +
      "random keys (--keys random, --keys-file FILE, keys: 'random').",
    'note',
  )
}

/** True if a key is its role's seeded key. */
export function isSeededKey({ key, role }: KeyRecord): boolean {
  return key === getDefaultApiKey(role)
}
