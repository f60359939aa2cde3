import type { TestProject } from 'vitest/node'
import { startServer } from '../hosts/server/start.ts'
import type { ServerOptions } from '../hosts/server/start.ts'

/** The server that all tests share. */
export interface Served {
  url: string
  token: string | undefined
}

declare module 'vitest' {
  interface ProvidedContext {
    creatorApiSandbox: Served
  }
}

/** Called by Vitest before the tests. Vitest calls the returned function after them. */
export type GlobalSetup = (project: Pick<TestProject, 'provide'>) => Promise<() => Promise<void>>

/**
 * Serves one sandbox, which is seeded once, on a free port for all test files. Accepts the options
 * of `startServer`. Export the result as the default export of a file, and list that file in
 * `globalSetup` of the Vitest configuration. Without options, list
 * `creator-api-sandbox/vitest/setup`.
 *
 * @example
 * export default serveSandbox({ scenario: 'solo' })
 */
export function serveSandbox(options: ServerOptions = {}): GlobalSetup {
  return async (project) => {
    const { url, stop } = await startServer({ port: 0, ...options })
    project.provide('creatorApiSandbox', { url, token: options.controlToken })
    return stop
  }
}

export default serveSandbox()
