#!/usr/bin/env node
import nodeModule from 'node:module'
import { setFlagsFromString } from 'node:v8'

// What Node compiled it finds again on the next start, from Node 22 on: half of what a start takes is compiling.
if ('enableCompileCache' in nodeModule) (nodeModule as { enableCompileCache: () => void }).enableCompileCache()

// Whoever reads no further, as `head` does, wants no more: that is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

const { run } = await import('./run.ts')
process.exitCode = await run(process.argv.slice(2), process)

// Left to itself V8 lets a heap grow to four times what is in use before it clears up: a story that plays fast would take 600 MB. While the
// data come in it would only cost time.
setFlagsFromString('--heap-growing-percent=10')
