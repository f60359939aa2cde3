import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { summariseTimes } from './measure.ts'
import type { Line } from './measure.ts'

/**
 * Measures how much longer it takes to import the built library than to import only msw. Each
 * import runs in a new process.
 */
export function benchImport(): Line[] {
  const dist = (file: string) => fileURLToPath(new URL(`../dist/${file}`, import.meta.url))
  const run = (code: string) => {
    const script = `import('msw').then(async () => { const start = performance.now(); ${code}; console.log(performance.now() - start) })`
    return Number(
      execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }),
    )
  }
  const times = Array.from({ length: 9 }, () =>
    run(
      `await import(${JSON.stringify(dist('index.js'))}); await import(${JSON.stringify(dist('msw.js'))})`,
    ),
  )
  const { median } = summariseTimes(times)
  return [
    {
      what: 'importing the package and /msw (built), beyond msw itself',
      measured: `${median.toFixed(0)} ms`,
      budget: '<= 105 ms',
      isKept: median <= 105,
    },
  ]
}
