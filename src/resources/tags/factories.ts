import { defineFactory } from '../define-factory.ts'
import { createTextSources } from '../../seed/texts.ts'

/** Fills in missing fields of tags. */
const tagFactory = defineFactory({
  name: 'tag',
  table: 'tags',
  after: ['organisation'],
  time: 'created_at',
  complete: ({ organisation }, context) => ({
    organisation:
      organisation ??
      context.only('organisation', context.world.db.organisations.slice(0, 11), 'organisation'),
    name: context.random.pick(createTextSources(context).texts.names.nouns),
    created_at: context.iso,
  }),
})

export const tagsFactories = [tagFactory] as const
