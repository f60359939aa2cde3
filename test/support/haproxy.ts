import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { createBalancerConfig } from './balancer.ts'
import { createTemporaryFolder } from './command.ts'

export type Balancer = Awaited<ReturnType<typeof startBalancer>>

/**
 * Starts HAProxy with a replica for each port, and stops it at the end of the test. Uses
 * deploy/haproxy.cfg with different ports, socket and replica names.
 */
export async function startBalancer(replicas: readonly number[], port: number) {
  const folder = createTemporaryFolder()
  const file = join(folder, 'haproxy.cfg')
  const admin = join(folder, 'admin.sock')
  writeFileSync(file, createBalancerConfig(replicas, { port, socket: admin }))
  execFileSync('haproxy', ['-c', '-f', file], { stdio: 'pipe' })
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let log = ''
  const keep = (chunk: Buffer) => {
    log += chunk.toString()
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const url = `http://127.0.0.1:${port}`
  const ended = new Promise<never>((_, reject) =>
    child.once('close', () => reject(new Error(`haproxy ended: ${log}`))),
  )
  const answers = vi.waitFor(
    async () => {
      const { status } = await fetch(`${url}/health?ready`)
      if (status !== 200) throw new Error(`haproxy answers ${status}`)
    },
    { timeout: 60_000, interval: 20 },
  )
  await Promise.race([answers, ended])
  return {
    url,
    /** Returns the log so far. */
    log: () => log,
    /** Sends a command to the admin socket. */
    direct: (command: string) => ask(admin, command),
  }
}

function ask(path: string, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(path, () => socket.end(`${command}\n`))
    socket.on('data', (chunk) => {
      answer += chunk.toString()
    })
    socket.on('close', () => resolve(answer.trim()))
    socket.on('error', reject)
  })
}
