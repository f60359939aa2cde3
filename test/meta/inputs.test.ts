import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const lines = readFileSync(new URL('../../src/generated/inputs.ts', import.meta.url), 'utf8').split(
  '\n',
)

it.each(['SandboxOptions', 'FaultInput', 'ClockChange', 'PlayOptions', 'SiteOptions', 'Actions'])(
  'describes every field of %s on hover',
  (name) => {
    const start = lines.findIndex((line) => line.startsWith(`export interface ${name}`))
    const end = lines.indexOf('}', start)
    // Action fields are one level deeper, because the action names above them are not fields.
    const field = name === 'Actions' ? /^ {4}(\w+)\??: / : /^ {2}(\w+)\??: /
    const fields = lines.slice(start, end).flatMap((line, index) => {
      const [, found] = field.exec(line) ?? []
      return found === undefined
        ? []
        : [{ found, isExplained: lines[start + index - 1]?.includes('/** ') === true }]
    })

    expect(fields.length).toBeGreaterThan(2)
    expect(
      fields.filter(({ isExplained }) => !isExplained).map(({ found }) => found),
      'Describe these in their schemas: .describe(…)',
    ).toEqual([])
  },
)
