import { it, vi } from 'vitest'
import { checks, runCheck } from './checks.ts'

it.each(checks.map((check) => [check.name, check] as const))('%s', async (_name, check) => {
  // Silences the warnings about unhandled requests that MSW prints in this check.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await runCheck(check)
})
