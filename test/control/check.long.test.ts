import { expect, it } from 'vitest'
import { shippedScenarios } from '../../src/generated/scenario-index.ts'
import { runInProcess } from '../support/command.ts'
import { expectNoViolations } from '../support/invariants.ts'
import { createFreshSandbox } from '../support/client.ts'

it('finds no broken invariant in a large world', async () => {
  expectNoViolations(await createFreshSandbox('large'))
}, 300_000)

it.each(shippedScenarios.filter(({ durationMs }) => durationMs > 0))(
  'holds after each moment of $name',
  async ({ name }) => {
    const { code, stderr } = await runInProcess('validate', name, '--deep')
    expect([code, stderr]).toEqual([0, ''])
  },
  600_000,
)

it.each([1, 7, 99])(
  'holds in every scenario with the seed %i',
  async (seed) => {
    for (const { name } of shippedScenarios)
      if (name !== 'large') expectNoViolations(await createFreshSandbox(name, { seed }))
  },
  300_000,
)
