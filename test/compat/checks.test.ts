import { it } from 'vitest'
import { checks, runCheck } from './checks.ts'

it.each(checks.map((check) => [check.name, check] as const))('%s', async (_name, check) => {
  await runCheck(check)
})
