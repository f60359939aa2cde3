import { it } from 'vitest'
import { expectRealisticData } from '../support/figures.ts'
import { createFreshSandbox } from '../support/client.ts'

it.each([7, 4242])(
  'has realistic subscriptions and payments in an agency with seed %i',
  async (seed) => {
    await expectRealisticData(await createFreshSandbox('agency', { seed }))
  },
)
