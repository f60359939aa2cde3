import { z } from 'zod'
import { createActionResult } from '../api/action.ts'
import { defineAction } from '../resources/define.ts'

export const advanceClock = defineAction({
  type: 'clock.advance',
  summary: 'Advance the clock and run the effects that become due',
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
    return createActionResult(`The clock is at ${world.clock.iso()}`, {})
  },
})
