import { z } from 'zod'
import { definePersistedService } from '../world/service.ts'
import { VariationChoice } from '../world/variation-choice.ts'
import type { World } from '../world/world.ts'
import type { Call, Reply, Route } from './route.ts'

/** The response variation of a world. */
class VariationState {
  #choice: VariationChoice | null
  #variator: Promise<Variator> | undefined

  constructor(choice: VariationChoice | null) {
    this.#choice = choice
  }

  /** The variation to apply. Null if responses are not varied. */
  get choice(): VariationChoice | null {
    return this.#choice
  }

  set choice(choice: VariationChoice | null) {
    this.#choice = choice
    this.#variator = undefined
  }

  /** The variator for the selected variation. Undefined before the first request. */
  get variator(): Promise<Variator> | undefined {
    return this.#variator
  }

  /** Returns the variator for the current `choice`. The variator is loaded only once. */
  load(load: (choice: VariationChoice) => Promise<Variator>): Promise<Variator> | undefined {
    if (this.#choice === null) return undefined
    return (this.#variator ??= load(this.#choice))
  }

  state(): VariationChoice | null {
    return this.#choice
  }

  restore(choice: VariationChoice | null | undefined): void {
    this.choice = choice ?? null
  }
}

/** The response variation of a world. */
export const variation = definePersistedService({
  name: 'variation',
  schema: z.lazy(() => VariationChoice.unwrap().nullable().default(null)),
  create: ({ options }: World) => new VariationState(options.variation ?? null),
})

/** A request before it is varied. */
export interface SentRequestState {
  /** The call as the client sent it. */
  sent: Call
  route: Route | undefined
}

/** A request with the variation applied. */
export interface VariedRequest {
  /** The varied call, to pass to the routes. */
  call: Call
  /** Applies the variation to the response. */
  toReply: (reply: Reply) => Reply
}

/** Varies the requests and responses of a world. */
export interface Variator {
  start: (request: SentRequestState) => Promise<VariedRequest>
  /** Number of requests that were changed. */
  readonly changed: number
}
