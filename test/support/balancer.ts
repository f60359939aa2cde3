import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

const shipped = readFileSync(new URL('../../deploy/haproxy.cfg', import.meta.url), 'utf8')

/**
 * Returns deploy/haproxy.cfg with loopback ports, a different socket and different replica names.
 * @throws if a part to replace is missing
 */
export function createBalancerConfig(
  replicas: readonly number[],
  { port, socket }: { port: number; socket: string },
): string {
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
    ['/run/haproxy/admin.sock', socket],
  ]
  return swaps.reduce((text, [from, to]) => {
    if (text.search(from) === -1) throw new Error(`deploy/haproxy.cfg has no ${String(from)}.`)
    return text.replace(from, to)
  }, shipped)
}

/** Returns a free port. */
export async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
