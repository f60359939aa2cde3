import { expect, it } from 'vitest'
import { createProgressPrinter } from '../../src/cli/startup-text.ts'

it('prints nothing within the first second, then at most one line per second', () => {
  const lines: string[] = []
  let time = 0
  const report = createProgressPrinter(
    (line) => lines.push(line),
    () => time,
  )
  for (const [at, share] of [
    [10, 0.1],
    [900, 0.2],
    [1000, 0.25],
    [1500, 0.4],
    [2400, 0.999],
  ] as const) {
    time = at
    report(share)
  }
  expect(lines).toEqual(['Generating data: 25 %', 'Generating data: 99 %'])
})
