import { it, vi } from 'vitest'
import { checks, runCheck } from './checks.ts'

it.each(checks.map((check) => [check.name, check] as const))('%s', async (_name, check) => {
  // MSW prints what nobody may answer; that is asked for here.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await runCheck(check)
})
