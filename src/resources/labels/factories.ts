import { defineFactory } from '../../world/define.ts'
import { wordsFor } from '../../world/texts.ts'

/** Completes the labels of posts. */
export const postLabelFactory = defineFactory({
  name: 'postLabel',
  table: 'postLabels',
  after: ['account'],
  complete: (given, making) => ({ accountId: making.accountId(given), name: making.random.pick(wordsFor(making).texts.names.nouns) }),
})
