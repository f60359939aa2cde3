import { it } from 'vitest'
import { expectWithinBounds } from '../support/bounds.ts'
import { createFreshSandbox } from '../support/client.ts'

it(
  "keeps the agency's data within the range of real accounts, with the edge cases that a client " +
    'must handle',
  async () => {
    await expectWithinBounds(await createFreshSandbox('agency'), { hasEdges: true })
  },
)
