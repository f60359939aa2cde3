/**
 * Steps that are taken at once, but for where one has to wait: there they yield the promise that
 * they wait for.
 */
export type Waiting<Result> = Generator<Promise<unknown>, Result, unknown>

/** Waits for a promise within such steps. */
export function* until<Value>(promise: Promise<Value>): Waiting<Value> {
  return (yield promise) as Value
}

/**
 * Takes the steps. The result is there at once where none of them had to wait, as with nearly all
 * requests.
 */
export function take<Result>(steps: Waiting<Result>): Result | Promise<Result> {
  const step = steps.next()
  return step.done === true ? step.value : goOn(steps, step.value)
}

/** Takes steps none of which has to wait, because nothing is waited for where they come from. */
export function takeAtOnce<Result>(steps: Waiting<Result>): Result {
  const step = steps.next()
  if (step.done === true) return step.value
  throw new Error('Failed to take the steps at once: one of them waits.')
}

async function goOn<Result>(steps: Waiting<Result>, first: Promise<unknown>): Promise<Result> {
  let promise = first
  for (;;) {
    const step = await promise.then(
      (value) => steps.next(value),
      (error: unknown) => steps.throw(error),
    )
    if (step.done === true) return step.value
    promise = step.value
  }
}
