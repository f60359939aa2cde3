import { defineFactory } from '../../world/making.ts'
import { wordsFor } from '../../world/texts.ts'

/** Completes the labels of posts. */
const postLabelFactory = defineFactory({
  name: 'postLabel',
  table: 'postLabels',
  after: ['account'],
  complete: (given, making) => ({
    accountId: making.accountId(given),
    name: making.random.pick(wordsFor(making).texts.names.nouns),
  }),
})

export const labelsFactories = [postLabelFactory] as const
