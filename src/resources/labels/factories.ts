import { defineFactory } from '../define-factory.ts'
import { createWords } from '../../seed/texts.ts'

/** Fills in missing fields of post labels. */
const postLabelFactory = defineFactory({
  name: 'postLabel',
  table: 'postLabels',
  after: ['account'],
  complete: (given, context) => ({
    accountId: context.accountId(given),
    name: context.random.pick(createWords(context).texts.names.nouns),
  }),
})

export const labelsFactories = [postLabelFactory] as const
