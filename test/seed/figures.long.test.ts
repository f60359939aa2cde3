import { it } from 'vitest'
import { expectAlive } from '../support/figures.ts'
import { freshSandbox } from '../support/client.ts'

it.each(Array.from({ length: 20 }, (_, place) => 100 + place))(
  'lets the people of seed %i come, stay, leave and pay as people do',
  async (seed) => {
    await expectAlive(await freshSandbox('agency', { seed }))
  },
)
