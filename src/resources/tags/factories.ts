import { defineFactory } from '../../world/making.ts'
import { wordsFor } from '../../world/texts.ts'

/** Completes tags of organisations. */
const tagFactory = defineFactory({
  name: 'tag',
  table: 'tags',
  after: ['organisation'],
  time: 'created_at',
  complete: ({ organisation }, making) => ({
    organisation:
      organisation ??
      making.only('organisation', making.world.db.organisations.slice(0, 11), 'organisation'),
    name: making.random.pick(wordsFor(making).texts.names.nouns),
    created_at: making.iso,
  }),
})

export const tagsFactories = [tagFactory] as const
