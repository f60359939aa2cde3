#!/usr/bin/env node
import module from 'node:module'

// The compile cache needs Node.js 22, which the Node.js 20 types do not describe.
;(module as { enableCompileCache?: () => void }).enableCompileCache?.()

// Ignores EPIPE, because a reader such as `head` may close the pipe early.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

const { runCli } = await import('./run.ts')
process.exitCode = await runCli(process.argv.slice(2), process)
