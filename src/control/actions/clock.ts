import { z } from 'zod'
import { done } from '../../api/action.ts'
import { defineAction } from '../../resources/define.ts'

/** Advances the clock. */
export const advanceClock = defineAction({
  type: 'clock.advance',
  summary: 'Advance the clock: due effects run on the way',
  schema: z.lazy(() =>
    z.strictObject({
      by: z
        .union([z.string().max(200), z.number().max(Number.MAX_VALUE)], {
          error: "it must be a duration such as '2h 1s', or milliseconds",
        })
        .describe("A duration such as '2h 1s', or milliseconds."),
    }),
  ),
  effect(world, { by }) {
    world.clock.advance(by)
    return done(`It is ${world.clock.iso()}`, {})
  },
})
