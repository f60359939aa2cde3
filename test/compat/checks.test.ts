import { it, vi } from 'vitest'
import { checks, runCheck } from './checks.ts'

it.each(checks.map((check) => [check.name, check] as const))('%s', async (_name, check) => {
  // MSW warns about unhandled requests in this check. The warnings are not printed.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await runCheck(check)
})
