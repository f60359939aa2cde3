import { it } from 'vitest'
import { expectAlive } from '../support/figures.ts'
import { freshSandbox } from '../support/client.ts'

it.each([7, 4242])(
  'lets the people of an agency seeded with %i come, stay, leave and pay as people do',
  async (seed) => {
    await expectAlive(await freshSandbox('agency', { seed }))
  },
)
