#!/usr/bin/env node
import module from 'node:module'

// Node 22 and later cache compiled code for the next start. The types are those of Node 20.
;(module as { enableCompileCache?: () => void }).enableCompileCache?.()

// A reader that closes early, such as `head`, is not a failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

const { run } = await import('./run.ts')
process.exitCode = await run(process.argv.slice(2), process)
