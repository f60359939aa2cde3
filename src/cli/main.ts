import { growHeap, shrinkHeap } from './heap.ts'
import type { run } from './run.ts'

/** Runs the command of this process. `load` loads what it does. */
export async function main(load: () => Promise<{ run: typeof run }>): Promise<void> {
  // Whoever reads no further, as `head` does, wants no more: that is no failure.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
  }
  growHeap()
  const loaded = await load()
  process.exitCode = await loaded.run(process.argv.slice(2), process)
  shrinkHeap()
}
