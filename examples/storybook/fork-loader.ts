import type { Sandbox } from 'creator-api-sandbox'
import { handlers } from 'creator-api-sandbox/msw'

/** Sandbox parameters of a story: the changes to make before it is shown. */
export interface SandboxParameters {
  sandbox?: (sandbox: Sandbox) => unknown
}

/** `setupWorker` from msw/browser or `setupServer` from msw/node. */
interface Answering {
  resetHandlers: (...next: ReturnType<typeof handlers>) => void
}

/**
 * Creates a loader that forks a seeded sandbox for each story and serves the fork through the
 * worker.
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
