#!/usr/bin/env node
import nodeModule from 'node:module'
import { growHeap, shrinkHeap } from './heap.ts'

// What Node compiled it finds again on the next start, from Node 22 on: half of what a start takes is compiling.
if ('enableCompileCache' in nodeModule) (nodeModule as { enableCompileCache: () => void }).enableCompileCache()

// Whoever reads no further, as `head` does, wants no more: that is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

growHeap()

const { run } = await import('./run.ts')
process.exitCode = await run(process.argv.slice(2), process)

shrinkHeap()
