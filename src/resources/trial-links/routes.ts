import { z } from 'zod'
import { bodyTime, markAsInferred } from '../../lib/fields.ts'
import { createRouteDefiner } from '../define.ts'
import { requireFutureTime, requireLink } from '../links/links.ts'
import { linkName, linkTagIds, TrialLinkItem } from '../links/schemas.ts'
import { toTrialItem } from '../links/view.ts'
import { filterOwnTags } from '../tags/tags.ts'
import { createTrialLink, finishTrialLink } from './trial-links.ts'

const defineRoute = createRouteDefiner({ group: 'Trial Links' })

const createLink = defineRoute({
  id: 'POST /v1/:account_id/trial-links',
  permission: 'api_trial_links_create',
  source: 'reference §9.2',
  summary: 'Create a trial link',
  rules: [
    'The response has the same shape as the response to GET. All metrics are 0.',
    'expiredAt must be later than now.',
    'Tags of other organisations are ignored.',
  ],
  body: () =>
    markAsInferred(
      z.object({
        trialLinkName: linkName,
        subscribeDays: z.int().min(1).max(365).describe('Duration of the trial in days.'),
        subscribeCounts: z
          .int()
          .min(0)
          .max(1_000_000)
          .default(0)
          .describe('Maximum number of claims. 0: unlimited.'),
        expiredAt: bodyTime
          .nullable()
          .default(null)
          .describe('Expiry time. null: the link never expires.'),
        tag_ids: linkTagIds.default([]),
      }),
    ),
  data: TrialLinkItem,
  handle({ world, organisation, account, body }) {
    const { trialLinkName: name, subscribeDays: days, subscribeCounts: limit, expiredAt } = body
    requireFutureTime(world.clock, 'expiredAt', expiredAt)
    return toTrialItem(
      world,
      createTrialLink(world, account, {
        name,
        days,
        limit,
        expiredAt,
        tagIds: filterOwnTags(world, organisation, body.tag_ids),
      }),
    )
  },
})

const finishLink = defineRoute({
  id: 'DELETE /v1/:account_id/trial-links/:link_id',
  permission: 'api_trial_links_delete',
  evidence:
    'reference §3: the platform finishes trial links instead of deleting them; path by analogy',
  summary: 'Finish a trial link',
  errors: ['trial_link_unknown'],
  rules: [
    'Sets isFinished to true. The link is not deleted and can still be read.',
    'Has no effect on a finished link.',
  ],
  handle({ world, account, params }) {
    finishTrialLink(world, requireLink(world, account, { kind: 'trial', id: params.link_id }))
  },
})

export const trialLinkRoutes = [createLink, finishLink]
