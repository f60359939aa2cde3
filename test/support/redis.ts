import { spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { findFreePort } from './balancer.ts'
import { createTemporaryFolder } from './command.ts'

/** True if Redis and its client are installed. */
export function hasRedis(): boolean {
  try {
    createRequire(import.meta.url).resolve('redis')
  } catch {
    return false
  }
  return spawnSync('redis-server', ['--version']).status === 0
}

export type RunningRedis = Awaited<ReturnType<typeof startRedis>>

/** Starts Redis on a free port, and kills it at the end of the test. */
export async function startRedis(...flags: string[]) {
  const port = await findFreePort()
  const folder = createTemporaryFolder()
  const defaults = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '']
  let kill = async () => {}
  const start = async (data: 'kept' | 'lost' = 'kept') => {
    if (data === 'lost') rmSync(join(folder, 'appendonlydir'), { recursive: true, force: true })
    const child = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...defaults, ...flags],
      { stdio: 'ignore' },
    )
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
    kill = () => {
      child.kill('SIGKILL')
      return ended
    }
    await vi.waitFor(() => ask(port, 'PING'), { timeout: 60_000, interval: 20 })
  }
  onTestFinished(() => kill())
  await start()
  const url = `redis://127.0.0.1:${port}`
  return {
    url,
    /** Starts the server again, with the data from its append-only file or without data. */
    start,
    /** Kills the server but keeps its append-only file. */
    kill: () => kill(),
    /** Sends an inline command and returns the raw reply. */
    ask: (command: string) => ask(port, command),
  }
}

function ask(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\nQUIT\r\n`))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk.toString()
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}
