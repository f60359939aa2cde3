import { it } from 'vitest'
import { expectAlive } from '../support/figures.ts'
import { freshSandbox } from '../support/client.ts'

it.each(Array.from({ length: 20 }, (_, place) => 100 + place))(
  'has realistic subscriptions and payments with seed %i',
  async (seed) => {
    await expectAlive(await freshSandbox('agency', { seed }))
  },
)
