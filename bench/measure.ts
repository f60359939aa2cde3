/**
 * A budget counts as missed if a measurement exceeds it by more than this factor, because
 * measurements vary.
 */
export const slack = 1.25

/** Measured times of one subject of the comparison, ms. */
export interface Times {
  median: number
  p99: number
}

/** A line of the report: subject, measured value and budget. */
export interface Line {
  what: string
  measured: string
  budget: string
  isKept: boolean
}

/**
 * Measures several subjects in alternating runs, so that a temporary slowdown of the machine
 * affects all of them equally.
 */
export async function timeInterleaved<Name extends string>(
  subjects: Record<Name, () => unknown>,
  { rounds, warmUp = Math.ceil(rounds / 5) }: { rounds: number; warmUp?: number },
): Promise<Record<Name, Times>> {
  const names = Object.keys(subjects) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    Name,
    number[]
  >
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const name of names) {
      const start = performance.now()
      await subjects[name]()
      if (round >= 0) times[name].push(performance.now() - start)
    }
  }
  return Object.fromEntries(names.map((name) => [name, summariseTimes(times[name])])) as Record<
    Name,
    Times
  >
}

/** Returns the median and the 99th percentile. */
export function summariseTimes(values: readonly number[]): Times {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { median: at(0.5), p99: at(0.99) }
}

/** Formats the report lines as a table for the terminal. */
export function formatTable(lines: readonly Line[]): string {
  const width = Math.max(...lines.map(({ what }) => what.length))
  const measured = Math.max(...lines.map((line) => line.measured.length))
  return lines
    .map(
      (line) =>
        `${line.isKept ? 'kept  ' : 'MISSED'}  ${line.what.padEnd(width)}  ${line.measured.padEnd(measured)}  budget ${line.budget}`,
    )
    .join('\n')
}
