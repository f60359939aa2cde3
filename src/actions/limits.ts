import { z } from 'zod'
import { createActionResult, organisationId, resolveOrganisationIds } from '../api/action.ts'
import { defineAction } from '../resources/define.ts'

const limit = z.int().min(0).max(1_000_000_000).optional()

/**
 * Changes the rate limits of an organisation. Requests sent before the change count towards the new
 * limits.
 */
export const setLimits = defineAction({
  type: 'limits.set',
  summary: 'Set the rate limits of an organisation',
  schema: z.lazy(() =>
    z
      .strictObject({
        organisation: organisationId,
        minute: limit.describe('Requests per UTC minute. Default: unchanged.'),
        day: limit.describe('Requests per UTC day. Default: unchanged.'),
      })
      .refine(({ minute, day }) => minute !== undefined || day !== undefined, {
        error: 'it needs minute, day, or both',
      }),
  ),
  effect(world, { organisation, minute, day }) {
    const organisations = resolveOrganisationIds(world, organisation)
    for (const id of organisations) {
      const before = world.db.organisations.get(id)?.limits ?? { minute: 0, day: 0 }
      world.db.organisations.update(id, {
        limits: { minute: minute ?? before.minute, day: day ?? before.day },
      })
    }
    const limits: string[] = []
    if (minute !== undefined) limits.push(`${minute} requests per minute`)
    if (day !== undefined) limits.push(`${day} per day`)
    const who = organisation === undefined ? 'Every organisation' : `Organisation ${organisation}`
    return createActionResult(`${who} may make ${limits.join(' and ')}`, { organisations })
  },
})
