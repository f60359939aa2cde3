import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'

export interface Load {
  url: string
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  /** In the body, `[<id>]` is replaced by a different number in each request. */
  body: string | undefined
}

/**
 * Sends requests over several keep-alive connections. Returns the number of responses per second of
 * the server's CPU time, which other programs hardly affect.
 * @throws if any status is not 200
 */
export async function measureRate(
  load: Load,
  { pid, connections, requests }: LoadOptions,
): Promise<number> {
  const before = readProcessorMs(pid)
  const each = Math.ceil(requests / connections)
  await Promise.all(Array.from({ length: connections }, () => ask(load, each)))
  return (each * connections * 1000) / (readProcessorMs(pid) - before)
}

interface LoadOptions {
  pid: number
  connections: number
  requests: number
}

/** Returns the CPU time of all threads of a process, ms. */
function readProcessorMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const times = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return times.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1_000_000
}

let asked = 0

function toRequest({ url, method, path, headers, body }: Load): string {
  const sent = body?.replaceAll('[<id>]', String((asked += 1)))
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length =
    sent === undefined
      ? ''
      : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(sent)}\r\n`
  return `${method} ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n${lines.join('')}${length}\r\n${sent ?? ''}`
}

function ask(load: Load, times: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(load.url)
    const socket = connect(Number(port), hostname)
    let count = 0
    let left = -1
    let head = ''
    const askNext = () => socket.write(toRequest(load))
    const finishAnswer = () => {
      count += 1
      left = -1
      head = ''
      if (count < times) askNext()
      else socket.end(() => resolve())
    }
    socket.setNoDelay(true)
    socket.on('connect', askNext)
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      if (left >= 0) left -= chunk.length
      else {
        head += chunk.toString('latin1')
        const border = head.indexOf('\r\n\r\n')
        if (border < 0) return
        if (!head.startsWith('HTTP/1.1 200')) {
          reject(new Error(`${load.method} ${load.path}: ${head.slice(0, 400)}`))
          return
        }
        left = Number(/content-length: (\d+)/i.exec(head)?.[1]) - (head.length - border - 4)
      }
      if (left === 0) finishAnswer()
    })
  })
}
