import { it } from 'vitest'
import { expectWithinBounds } from '../support/bounds.ts'
import { freshSandbox } from '../support/client.ts'

it(
  "keeps the agency's data within the range of real accounts, with the edge cases that a client " +
    'must handle',
  async () => {
    await expectWithinBounds(await freshSandbox('agency'), { hasEdges: true })
  },
)
