import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { temporaryFolder } from './command.ts'

const shipped = readFileSync(new URL('../../deploy/haproxy.cfg', import.meta.url), 'utf8')

/** A load balancer at work. */
export interface Balancer {
  url: string
  /** What it logged so far. */
  log: () => string
  /** Sends a command to its socket for administrators. */
  direct: (command: string) => Promise<string>
}

/** A port that was free just now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/**
 * Starts HAProxy with the shipped configuration, before as many replicas as there are ports; it ends with the test. Only ports and names of
 * replicas are others than in deploy/haproxy.cfg.
 */
export async function startBalancer(replicas: readonly number[], port: number): Promise<Balancer> {
  const adminPort = await freePort()
  const file = join(temporaryFolder(), 'haproxy.cfg')
  writeFileSync(file, configure(replicas, { port, adminPort }))
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
  const ended = new Promise<never>((_, reject) => child.once('close', () => reject(new Error(`haproxy ended: ${log}`))))
  const answers = vi.waitFor(
    async () => {
      const { status } = await fetch(`${url}/health?ready`)
      if (status !== 200) throw new Error(`haproxy answers ${status}`)
    },
    { timeout: 20_000, interval: 20 },
  )
  await Promise.race([answers, ended])
  return { url, log: () => log, direct: (command) => ask(adminPort, command) }
}

/** The shipped configuration at those ports. @throws where it no longer has what is replaced. */
function configure(replicas: readonly number[], { port, adminPort }: { port: number; adminPort: number }): string {
  const [line = ''] = /^ {2}server replica-1 .*\n/m.exec(shipped) ?? []
  const servers = replicas.map((replica, index) =>
    line
      .replace('replica-1:4010', `127.0.0.1:${replica}`)
      .replace('replica-1', `replica-${index + 1}`)
      .replace('id 1', `id ${index + 1}`),
  )
  const swaps: [string | RegExp, string][] = [
    [/(?:^ {2}server replica-.*\n)+/m, servers.join('')],
    ['bind :4010', `bind 127.0.0.1:${port}`],
    ['ipv4@127.0.0.1:9999', `ipv4@127.0.0.1:${adminPort}`],
  ]
  return swaps.reduce((text, [from, to]) => {
    if (text.search(from) === -1) throw new Error(`deploy/haproxy.cfg has no ${String(from)}.`)
    return text.replace(from, to)
  }, shipped)
}

function ask(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.end(`${command}\n`))
    socket.on('data', (chunk) => {
      answer += chunk.toString()
    })
    socket.on('close', () => resolve(answer.trim()))
    socket.on('error', reject)
  })
}
