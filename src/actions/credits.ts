import { z } from 'zod'
import { createActionResult, organisationId, resolveOrganisationIds } from '../api/action.ts'
import { defineAction } from '../resources/define.ts'

/** Sets an organisation's credits and subscription status. */
export const setCredits = defineAction({
  type: 'credits.set',
  summary:
    'Set the credits and the subscription of an organisation. Without credits or an active ' +
    'subscription, requests get 402',
  schema: z.lazy(() =>
    z.strictObject({
      organisation: organisationId,
      credits: z.int().min(0).nullable().describe('Remaining credits. null: unlimited.'),
      isSubscriptionActive: z.boolean().optional().describe('Default: unchanged.'),
    }),
  ),
  effect(world, { organisation, credits, isSubscriptionActive }) {
    const organisations = resolveOrganisationIds(world, organisation)
    for (const id of organisations) {
      world.db.organisations.update(id, {
        credits,
        ...(isSubscriptionActive === undefined ? {} : { isSubscriptionActive }),
      })
    }
    const subject =
      organisation === undefined ? 'Every organisation' : `Organisation ${organisation}`
    return createActionResult(
      `${subject} has ${credits === null ? 'unlimited credits' : `${credits} credits left`}`,
      { organisations },
    )
  },
})
