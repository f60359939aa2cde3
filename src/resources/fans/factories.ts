import { defineFactory } from '../define-factory.ts'
import { createTextSources, requireTexts } from '../../seed/texts.ts'
import { createLateNameSource } from './names.ts'
import { createRandomFan, createUsernameReserver } from './new-fan.ts'

/** Fills in missing fields of platform users. By default, users have no subscription. */
const fanFactory = defineFactory({
  name: 'fan',
  table: 'fans',
  time: 'lastSeen',
  complete: (_, context) =>
    createRandomFan(createTextSources(context), {
      id: () => context.id,
      lastSeen: () => context.iso,
      reserve: createUsernameReserver(context.world),
      name: createLateNameSource(requireTexts(context.world)),
    }),
})

export const fansFactories = [fanFactory] as const
