import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Server } from '../../test/compat/client-calls.ts'

/** A running server, started from the installed package. */
export interface RunningServer extends Server {
  /** Resets the data of the server to the seeded data. */
  reset: () => Promise<void>
  stop: () => void
}

/**
 * Starts the server from the package installed in a folder, using the given Node.js, and finds a
 * fan who has paid.
 */
export async function startServer(folder: string, node: string): Promise<RunningServer> {
  const script = join(folder, 'node_modules/creator-api-sandbox/dist/cli/bin.js')
  const child = spawn(node, [script, '--port', '0', '--quiet'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = () => void child.kill()
  process.on('exit', stop)
  const [line] = (await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])) as [
    unknown,
  ]
  const url = String(line).trim()
  if (!url.startsWith('http://'))
    throw new Error(
      `Failed to start the server (${script}): it printed ${JSON.stringify(url)}. Start it manually to see the error.`,
    )
  const read = async (path: string) =>
    (await (await fetch(`${url}/_sandbox/${path}`)).json()) as never
  const { keys, accounts } = (await read('state')) as State
  const account = accounts.find(({ connected }) => connected)?.id ?? 0
  const { items } = (await read(
    `data/transactions?accountId=${account}&status=done&limit=100`,
  )) as { items: Payment[] }
  return {
    url,
    key: keys.find(({ role }) => role === 'owner')?.key ?? '',
    account,
    // The first payments may have no amount, depending on the start time.
    fan: items.find(({ amount }) => (amount ?? 0) > 0)?.fanId ?? 0,
    reset: async () => void (await fetch(`${url}/_sandbox/reset`, { method: 'POST' })),
    stop,
  }
}

interface Payment {
  fanId: number
  amount: number | null
}

interface State {
  keys: { key: string; role: string }[]
  accounts: { id: number; connected: boolean }[]
}
