import { expect, it } from 'vitest'
import { shippedScenarios } from '../../src/generated/scenario-index.ts'
import { factories } from '../../src/resources/factories.ts'
import { expectResponsesMatchRecords } from '../support/invariants.ts'
import { makeRecordInEachTable } from '../support/make-records.ts'
import { createFreshSandbox } from '../support/client.ts'

it.each(shippedScenarios.map(({ name }) => name))(
  'makes one of each record in %s, and all API figures agree',
  async (name) => {
    const sandbox = await createFreshSandbox(name)
    expect(Object.keys(makeRecordInEachTable(sandbox))).toHaveLength(factories.kinds.length)
    await expectResponsesMatchRecords(sandbox, { most: 5 })
  },
  120_000,
)
