import { it } from 'vitest'
import { expectWithinBounds } from '../support/bounds.ts'
import { createFreshSandbox } from '../support/client.ts'

it.each([
  ['agency', 11],
  ['agency', 4242],
  ['solo', 3],
  ['solo', 11],
  ['solo', 4242],
  ['large', 11],
] as const)(
  'keeps the data of %s at seed %i within what real accounts show',
  async (name, seed) => {
    await expectWithinBounds(await createFreshSandbox(name, { seed }), {
      hasEdges: name === 'agency',
    })
  },
)
