import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { vi } from 'vitest'
import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox, SurviveOptions } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import { python } from '../support/python.ts'
import { listenOnFreePort } from '../support/server.ts'
import type { Client } from './api.ts'
import { smallCorrectClients, smallWrongClients } from './small.ts'
import type { SmallClient } from './small.ts'

const base = createSandbox({
  scenario: 'solo',
  baseUrl: 'https://api.example.test',
  realTime: () => Date.now(),
})

/**
 * Failures that a client may report without handling them: 401, 402, 404, 424, 429, and a failed
 * write.
 */
const reportable = /: (?:401|402|404|424|429)\b|\bPOST \S+: (?:5\d\d|no response)/

/** Options for testing the clients. */
export const surviveOptions = {
  expectError: reportable,
  lateMs: 400,
  print: () => {},
} satisfies SurviveOptions

/** A client that can run several times in the same sandbox. */
export interface ClientRun extends Disposable {
  sandbox: Sandbox
  run: () => Promise<unknown>
}

/**
 * Opens a sandbox for one client. It runs in this process, or on a server if the client is a Python
 * script. In this process, timers are fake and fire as soon as nothing else happens, so the pauses
 * of a client and the delays of the service take no time.
 */
export async function openClientRun(file: string, pause?: string): Promise<ClientRun> {
  await base.ready
  const sandbox = base.fork()
  const account = sandbox.accounts[0]!.id
  const key = sandbox.keys.owner
  if (file.endsWith('.py')) {
    const { origin, stop } = await listenOnFreePort(createApp(sandbox))
    sandbox.baseUrl = origin
    const run = () => runPython(file, { url: origin, key, account: String(account) })
    return { sandbox, run, [Symbol.dispose]: stop }
  }
  const small = findSmallClient(file)
  const client = small?.run ?? ((await import(getPath(file))) as { default: Client }).default
  const fetch: typeof sandbox.fetch = (...request) => {
    if (pause !== undefined) sandbox.clock.advance(pause)
    return sandbox.fetch(...request)
  }
  const run = () => client({ url: sandbox.baseUrl, key, account, fetch })
  vi.useFakeTimers().setTimerTickMode('nextTimerAsync')
  return { sandbox, run, [Symbol.dispose]: () => void vi.useRealTimers() }
}

async function runPython(
  file: string,
  service: { url: string; key: string; account: string },
): Promise<void> {
  const env = {
    ...process.env,
    CREATOR_API_URL: service.url,
    CREATOR_API_KEY: service.key,
    CREATOR_API_ACCOUNT: service.account,
    PYTHONDONTWRITEBYTECODE: '1',
  }
  await promisify(execFile)(python, [getPath(file)], { env }).catch(
    ({ stderr }: { stderr: string }) => {
      throw new Error(stderr.trimEnd().split('\n').at(-1))
    },
  )
}

function findSmallClient(name: string): SmallClient | undefined {
  const clients: Record<string, SmallClient> = { ...smallWrongClients, ...smallCorrectClients }
  return clients[name]
}

/** Returns a client's description, which is in its table or in the first line of its file. */
export function describeClient(file: string): string {
  const small = findSmallClient(file)
  if (small !== undefined) return small.about
  const [first = ''] = readFileSync(getPath(file), 'utf8').split('\n')
  return first.replace(/^(?:\/\/ |""")|"""$/g, '').replaceAll(/"""$/g, '')
}

function getPath(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
