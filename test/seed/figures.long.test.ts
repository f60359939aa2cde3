import { it } from 'vitest'
import { expectRealistic } from '../support/figures.ts'
import { freshSandbox } from '../support/client.ts'

it.each(Array.from({ length: 20 }, (_, place) => 100 + place))(
  'has realistic subscriptions and payments with seed %i',
  async (seed) => {
    await expectRealistic(await freshSandbox('agency', { seed }))
  },
)
