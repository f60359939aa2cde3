/** Delay before the first progress line, and interval between progress lines, ms. */
const pauseMs = 1000

/**
 * Returns a function that prints seeding progress at most once a second, and nothing if seeding
 * takes less than a second.
 */
export function createProgressPrinter(
  print: (line: string) => void,
  now: () => number,
): (share: number) => void {
  let printedAt = now()
  return (share) => {
    if (now() - printedAt < pauseMs) return
    printedAt = now()
    print(`Generating data: ${Math.floor(share * 100)} %`)
  }
}
