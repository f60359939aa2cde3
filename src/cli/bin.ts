#!/usr/bin/env node
import module from 'node:module'

// The compile cache exists only since Node.js 22, and the types are those of Node.js 20.
;(module as { enableCompileCache?: () => void }).enableCompileCache?.()

// Ignores EPIPE, which occurs if a reader such as `head` closes the pipe early.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

const { stopOnNpmExit } = await import('./parent-process.ts')
stopOnNpmExit()

const { runCli } = await import('./run.ts')
process.exitCode = await runCli(process.argv.slice(2), process)
