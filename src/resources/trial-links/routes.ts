import { z } from 'zod'
import { bodyInstant, inferred, pathId, Success } from '../../lib/fields.ts'
import { assertLater } from '../../api/lists/window.ts'
import { defineRoute } from '../define.ts'
import { requireLink } from '../links/links.ts'
import { linkName, linkTagIds, TrialLinkItem } from '../links/schemas.ts'
import { toTrialItem } from '../links/view.ts'
import { ownTags } from '../tags/tags.ts'
import { createTrialLink, finishTrialLink } from './trial-links.ts'

const createLink = defineRoute({
  method: 'POST',
  path: '/v1/:account_id/trial-links',
  group: 'Trial Links',
  permission: 'api_trial_links_create',
  kind: 'relay',
  source: 'reference §9.2',
  summary: 'Create a trial link',
  rules: [
    'The answer is the item that the read answers, with every metric at zero.',
    'expiredAt must be later than now.',
    "Tags that are not the organisation's are passed over.",
  ],
  body: () =>
    inferred(
      z.object({
        trialLinkName: linkName,
        subscribeDays: z.int().min(1).max(365).describe('How long the trial lasts.'),
        subscribeCounts: z
          .int()
          .min(0)
          .max(1_000_000)
          .default(0)
          .describe('How many may claim it; 0: any number.'),
        expiredAt: bodyInstant
          .nullable()
          .default(null)
          .describe('When it stops taking claims; null: never.'),
        tag_ids: linkTagIds.default([]),
      }),
    ),
  data: TrialLinkItem,
  handle({ world, organisation, account, body }) {
    const { trialLinkName: name, subscribeDays: days, subscribeCounts: limit, expiredAt } = body
    assertLater(world.clock, 'expiredAt', expiredAt)
    return toTrialItem(
      world,
      createTrialLink(world, account, {
        name,
        days,
        limit,
        expiredAt,
        tagIds: ownTags(world, organisation, body.tag_ids),
      }),
    )
  },
})

const finishLink = defineRoute({
  method: 'DELETE',
  path: '/v1/:account_id/trial-links/:link_id',
  group: 'Trial Links',
  permission: 'api_trial_links_delete',
  kind: 'relay',
  source: 'inferred',
  evidence:
    'reference §3: the platform finishes trial links rather than deleting them; path by analogy',
  summary: 'Finish a trial link',
  rules: [
    'The link is finished, not deleted: isFinished is true from now on, and every read goes on.',
    'To finish a finished link changes nothing.',
  ],
  params: () => z.object({ link_id: pathId }),
  data: Success,
  handle({ world, account, params }) {
    finishTrialLink(world, requireLink(world, account, { kind: 'trial', id: params.link_id }))
    return { success: true as const }
  },
})

export const trialLinkRoutes = [createLink, finishLink]
