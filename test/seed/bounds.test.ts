import { it } from 'vitest'
import { expectWithinBounds } from '../support/bounds.ts'
import { freshSandbox } from '../support/client.ts'

it('keeps the data of the agency within what real accounts show, with all that a client must survive', async () => {
  await expectWithinBounds(await freshSandbox('agency'), { hasEdges: true })
})
