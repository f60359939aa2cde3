import { z } from 'zod'
import { done } from '../../api/action.ts'
import { defineAction } from '../../resources/define.ts'

/** Shows a caption to the audience. */
export const addNote = defineAction({
  type: 'note',
  summary: 'Show a caption to the audience; nothing else changes',
  schema: z.lazy(() =>
    z.strictObject({ text: z.string().trim().min(1).max(500).describe('What to say.') }),
  ),
  effect(world, { text }) {
    world.addNote(text)
    return done(text, {})
  },
})
