import { z } from 'zod'
import { createActionResult } from '../api/action.ts'
import { defineAction } from '../resources/define.ts'

/** Shows a caption to people who watch the story. */
export const addNote = defineAction({
  type: 'note',
  summary: 'Show a caption in the console. This action changes no data',
  schema: z.lazy(() =>
    z.strictObject({
      text: z.string().trim().min(1).max(500).describe('The text of the caption.'),
    }),
  ),
  effect(world, { text }) {
    world.addNote(text)
    return createActionResult(text, {})
  },
})
