import {
  ApiError,
  createApiError,
  budgetAdvice,
  MemoryLimitError,
  SandboxError,
} from '../errors.ts'
import { createErrorReply } from './envelope.ts'
import { InjectedReply } from './inject-fault.ts'
import { maskPathForLog } from './record-request.ts'
import type { Outcome, RecordDependencies } from './record-request.ts'
import type { RequestState } from './request-state.ts'
import { isError } from '../lib/realms.ts'

/** Converts an error to a request outcome. */
export function toRequestOutcome(
  { log, world }: Pick<RecordDependencies, 'log' | 'world'>,
  { call, path }: RequestState,
  thrown: unknown,
): Outcome {
  const error =
    thrown instanceof MemoryLimitError
      ? createApiError('memory_full', { limit: thrown.limitMb, advice: budgetAdvice })
      : thrown
  if (error instanceof ApiError) return toOutcome(error)
  if (error instanceof InjectedReply) return { reply: error.reply, error: error.reason, code: null }
  const bug = createApiError('internal_error')
  // The user's code caused the error, for example a failing time source. The message explains what
  // to do.
  if (error instanceof SandboxError) bug.message = error.message
  log(
    `${call.method} ${maskPathForLog(world, path)}: ` +
      `${isError(error) ? (error.stack ?? error.message) : String(error)}`,
    'error',
  )
  return toOutcome(bug)
}

function toOutcome({ status, message, code }: ApiError): Outcome {
  return { reply: createErrorReply(status, message), error: message, code }
}
