import { expect, it } from 'vitest'
import { readyRows } from '../../src/generated/ready-rows.ts'
import { Digest } from '../../src/lib/digest.ts'
import { tableNames } from '../../src/resources/all-tables.ts'
import { createSandbox, type ScenarioName } from '../../src/index.ts'

it.each(readyRows.map(({ name }) => name))(
  'has the same records of %s as those that are generated',
  async (name) => {
    const scenario = name as ScenarioName
    const ready = createSandbox({ scenario })
    // With sizes of its own, even with none, a sandbox generates its records.
    const generated = createSandbox({ scenario, data: {} })
    await Promise.all([ready.ready, generated.ready])
    const digest = (rows: unknown) => {
      const each = new Digest()
      each.add(rows)
      return each.text
    }

    expect(tableNames.map((table) => [table, digest(ready.db[table].all())])).toEqual(
      tableNames.map((table) => [table, digest(generated.db[table].all())]),
    )
    expect(ready.make.fan()).toEqual(generated.make.fan())
  },
)
