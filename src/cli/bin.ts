#!/usr/bin/env node
import module from 'node:module'

// Node 22 and later keep what they compile for the next start. The types are those of Node 20.
;(module as { enableCompileCache?: () => void }).enableCompileCache?.()

// A reader that stops early, as `head` does, is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

const { run } = await import('./run.ts')
process.exitCode = await run(process.argv.slice(2), process)
