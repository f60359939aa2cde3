import { z } from 'zod'
import { lazyStrictObject } from '../lib/fields.ts'
import { organisationId, resolveOrganisationIds } from '../api/action.ts'
import { defineAction } from '../resources/define.ts'
import { VariationChoice } from '../world/variation-choice.ts'
import { variation } from '../api/variation-service.ts'
import { durationForms } from '../lib/time.ts'

export const advanceClock = defineAction({
  type: 'clock.advance',
  summary: 'Advance the clock and run the effects that become due',
  schema: lazyStrictObject(() => ({
    by: z
      .union([z.string().max(200), z.number().max(Number.MAX_VALUE)], {
        error: `it must be milliseconds, or a duration such as ${durationForms}`,
      })
      .describe("A duration such as '2h 1s', or milliseconds."),
  })),
  effect(world, { by }) {
    world.clock.advance(by)
    return { happened: `The clock is at ${world.clock.iso()}`, ids: {} }
  },
})

/** Shows a caption to people who watch the story. */
export const addNote = defineAction({
  type: 'note',
  summary: 'Show a caption in the console. This action changes no data',
  schema: lazyStrictObject(() => ({
    text: z.string().trim().min(1).max(500).describe('The text of the caption.'),
  })),
  effect(world, { text }) {
    world.addNote(text)
    return { happened: text, ids: {} }
  },
})

/** Starts or stops varying responses. */
export const setVariation = defineAction({
  type: 'variation.set',
  summary: 'Vary responses within the contract (docs/variation.md)',
  schema: z.lazy(() => {
    const { seed, only, delayMs } = VariationChoice.unwrap().shape
    return z.strictObject({
      seed: seed
        .unwrap()
        .nullable()
        .default(1)
        .describe(`${seed.description ?? ''} null: stop the variation.`),
      only,
      delay_ms: delayMs,
    })
  }),
  effect(world, { seed, only, delay_ms: delayMs }) {
    world.service(variation).choice = seed === null ? null : { seed, only, delayMs }
    if (seed === null) return { happened: 'Responses no longer vary', ids: {} }
    return {
      happened: `Responses vary with the seed ${seed}: ${only?.join(', ') ?? 'all variations'}`,
      ids: {},
    }
  },
})

/** Sets an organisation's credits and subscription status. */
export const setCredits = defineAction({
  type: 'credits.set',
  summary:
    'Set the credits and the subscription of an organisation. Without credits or an active ' +
    'subscription, requests get 402',
  schema: lazyStrictObject(() => ({
    organisation: organisationId,
    credits: z.int().min(0).nullable().describe('Remaining credits. null: unlimited.'),
    isSubscriptionActive: z.boolean().optional().describe('Default: unchanged.'),
  })),
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
    return {
      happened: `${subject} has ${credits === null ? 'unlimited credits' : `${credits} credits left`}`,
      ids: { organisations },
    }
  },
})

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
    return { happened: `${who} may make ${limits.join(' and ')}`, ids: { organisations } }
  },
})
