import { it } from 'vitest'
import { expectRealisticData } from '../support/figures.ts'
import { createFreshSandbox } from '../support/client.ts'

it.each(Array.from({ length: 20 }, (_, place) => 100 + place))(
  'has realistic subscriptions and payments with seed %i',
  async (seed) => {
    await expectRealisticData(await createFreshSandbox('agency', { seed }))
  },
)
