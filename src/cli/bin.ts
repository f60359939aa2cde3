#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8'
import { run } from './run.ts'

// Left to itself V8 lets a heap grow to four times what is in use before it clears up: a story that plays fast would take 600 MB.
setFlagsFromString('--heap-growing-percent=10')

// Whoever reads no further, as `head` does, wants no more: that is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

process.exitCode = await run(process.argv.slice(2), process)
