import type { TestProject } from 'vitest/node'
import { startServer } from '../hosts/server/start.ts'
import type { ServerOptions } from '../hosts/server/start.ts'

/** The server shared by all tests. */
export interface Served {
  url: string
  token: string | undefined
}

declare module 'vitest' {
  interface ProvidedContext {
    creatorApiSandbox: Served
  }
}

/** Vitest calls this function before the tests, and the function that it returns after them. */
export type GlobalSetup = (project: Pick<TestProject, 'provide'>) => Promise<() => Promise<void>>

/**
 * Serves one sandbox, which is seeded once, on a free port for all test files. Accepts the options
 * of `startServer`. Make the result the default export of a file, and list that file in
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
