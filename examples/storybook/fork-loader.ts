import type { Sandbox } from 'creator-api-sandbox'
import { handlers } from 'creator-api-sandbox/msw'

/** The sandbox of a story: the changes before it is shown. */
export interface SandboxParameters {
  sandbox?: (sandbox: Sandbox) => unknown
}

/** `setupWorker` of msw/browser, or `setupServer` of msw/node. */
interface Answering {
  resetHandlers: (...next: ReturnType<typeof handlers>) => void
}

/**
 * Creates the loader that forks a seeded sandbox for each story, and makes the worker answer from
 * the fork.
 */
export function forkForStory(seeded: Sandbox, worker: Answering) {
  return async ({
    parameters,
  }: {
    parameters: SandboxParameters
  }): Promise<{ sandbox: Sandbox }> => {
    await seeded.ready
    const sandbox = seeded.fork()
    worker.resetHandlers(...handlers(sandbox))
    await parameters.sandbox?.(sandbox)
    return { sandbox }
  }
}
