import { yieldToEventLoop } from './yield-to-event-loop.ts'

/**
 * Imports modules. In an ESM project, Jest refuses imports between two tests or hooks. If it does,
 * this function imports them when the next test or hook runs.
 *
 * @param load Imports the modules. It may be called several times.
 */
export async function importModules<Modules>(load: () => Promise<Modules>): Promise<Modules> {
  for (;;) {
    try {
      return await load()
    } catch (error) {
      if (!isRefusedByJest(error)) throw error
      await waitForNextTask()
    }
  }
}

function isRefusedByJest(error: unknown): boolean {
  const { message } = (error ?? {}) as { message?: unknown }
  return typeof message === 'string' && message.includes('outside of the scope of the test code')
}

/** In jsdom, yielding runs no other tasks, so it would block the process. */
function waitForNextTask(): Promise<void> {
  return 'MessageChannel' in globalThis
    ? yieldToEventLoop()
    : new Promise((resolve) => {
        setTimeout(resolve)
      })
}
