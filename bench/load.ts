import { connect } from 'node:net'
import type { Socket } from 'node:net'

/** What to ask a server for, again and again. */
export interface Load {
  url: string
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  /** `[<id>]` in it becomes another number in each request. */
  body: string | undefined
}

/**
 * Asks from so many kept connections at once, for so long, and returns the answers a second.
 * @note autocannon measures in whole seconds, which would take ten minutes for the table of routes. @throws on any answer but 200.
 */
export async function measureRate(load: Load, { connections, seconds }: { connections: number; seconds: number }): Promise<number> {
  const start = performance.now()
  const end = start + seconds * 1000
  const counts = await Promise.all(Array.from({ length: connections }, () => askUntil(load, end)))
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - start) / 1000)
}

let asked = 0

function toRequest({ url, method, path, headers, body }: Load): string {
  const sent = body?.replaceAll('[<id>]', String((asked += 1)))
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = sent === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(sent)}\r\n`
  return `${method} ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n${lines.join('')}${length}\r\n${sent ?? ''}`
}

function askUntil(load: Load, end: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(load.url)
    const socket: Socket = connect(Number(port), hostname)
    let count = 0
    let left = -1
    let head = ''
    const ask = () => socket.write(toRequest(load))
    const done = () => {
      count += 1
      left = -1
      head = ''
      if (performance.now() < end) ask()
      else socket.end(() => resolve(count))
    }
    socket.setNoDelay(true)
    socket.on('connect', ask)
    socket.on('error', reject)
    socket.on('data', (chunk: Buffer) => {
      if (left >= 0) left -= chunk.length
      else {
        head += chunk.toString('latin1')
        const border = head.indexOf('\r\n\r\n')
        if (border < 0) return
        if (!head.startsWith('HTTP/1.1 200')) return void reject(new Error(`${load.method} ${load.path}: ${head.slice(0, 400)}`))
        left = Number(/content-length: (\d+)/i.exec(head)?.[1]) - (head.length - border - 4)
      }
      if (left === 0) done()
    })
  })
}
