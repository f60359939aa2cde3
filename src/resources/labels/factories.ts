import { defineFactory } from '../define.ts'
import { createTextSources } from '../../seed/texts.ts'

/** Fills in missing fields of post labels. */
export const postLabelFactory = defineFactory({
  name: 'postLabel',
  table: 'postLabels',
  complete: (given, context) => ({
    accountId: context.accountId(given),
    name: context.random.pick(createTextSources(context).texts.names.nouns),
  }),
})
