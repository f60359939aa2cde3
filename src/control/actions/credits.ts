import { z } from 'zod'
import { done, organisationId, organisationsNamed } from '../../api/action.ts'
import { defineAction } from '../../resources/define.ts'

/** Sets the credits and the subscription of an organisation. */
export const setCredits = defineAction({
  type: 'credits.set',
  summary:
    'Set the credits of an organisation, and whether its subscription is active. Without ' +
    'credits or subscription, requests get 402',
  schema: z.lazy(() =>
    z.strictObject({
      organisation: organisationId,
      credits: z.int().min(0).nullable().describe('Credits left to spend. null: unlimited.'),
      isSubscriptionActive: z.boolean().optional().describe('Default: as before.'),
    }),
  ),
  effect(world, { organisation, credits, isSubscriptionActive }) {
    const organisations = organisationsNamed(world, organisation)
    for (const id of organisations) {
      world.db.organisations.update(id, {
        credits,
        ...(isSubscriptionActive === undefined ? {} : { isSubscriptionActive }),
      })
    }
    const subject =
      organisation === undefined ? 'Every organisation' : `Organisation ${organisation}`
    return done(
      `${subject} has ${credits === null ? 'credits without end' : `${credits} credits left`}`,
      { organisations },
    )
  },
})
