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

// Left to itself V8 lets a heap grow to four times what is in use before it clears up: scenario `large`, which holds 330 MB, would take
// 580, and a story that plays fast 600. While the data come in, most of what is made stays, and to look often would only cost time.
setFlagsFromString('--heap-growing-percent=50')

const { run } = await import('./run.ts')
process.exitCode = await run(process.argv.slice(2), process)

setFlagsFromString('--heap-growing-percent=10')
// The space for what is new stays as large as the data needed it: under load it would go on to 48 MB, and answers would be no faster.
setFlagsFromString('--semi-space-growth-factor=1')
