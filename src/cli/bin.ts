#!/usr/bin/env node
import module from 'node:module'

// Node.js 22 and later can cache compiled code, but the types are those of Node.js 20.
;(module as { enableCompileCache?: () => void }).enableCompileCache?.()

// Ignores EPIPE: a reader such as `head` may close the pipe early.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

const { runCli } = await import('./run.ts')
process.exitCode = await runCli(process.argv.slice(2), process)
