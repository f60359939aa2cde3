import { z } from 'zod'
import { createActionResult } from '../api/action.ts'
import { VariationChoice } from '../world/variation-choice.ts'
import { variation } from '../api/variation.ts'
import { defineAction } from '../resources/define.ts'

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
    if (seed === null) return createActionResult('Responses no longer vary', {})
    return createActionResult(
      `Responses vary with the seed ${seed}: ${only?.join(', ') ?? 'all variations'}`,
      {},
    )
  },
})
