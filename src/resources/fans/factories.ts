import { defineFactory } from '../../world/making.ts'
import { wordsFor } from '../../world/texts.ts'
import { drawFan } from './new-fan.ts'

/** Completes users of the platform: fans of nobody yet. */
const fanFactory = defineFactory({
  name: 'fan',
  table: 'fans',
  time: 'lastSeen',
  complete: (_, making) =>
    drawFan(wordsFor(making), { id: () => making.id, lastSeen: () => making.iso }),
})

export const fansFactories = [fanFactory] as const
