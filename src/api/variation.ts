import { z } from 'zod'
import type { Edge } from './variation-edge.ts'
import { definePersistedService } from '../world/service.ts'
import { VariationChoice } from '../world/variation-choice.ts'
import type { World } from '../world/world.ts'

/** How the answers of a world vary, and what makes them. */
export class Varying {
  #choice: VariationChoice | null
  #edge: Promise<Edge> | undefined

  constructor(choice: VariationChoice | null) {
    this.#choice = choice
  }

  /** Null where answers do not vary. */
  get choice(): VariationChoice | null {
    return this.#choice
  }

  set choice(choice: VariationChoice | null) {
    this.#choice = choice
    this.#edge = undefined
  }

  /** What makes them, once there was a request; undefined before. */
  get edge(): Promise<Edge> | undefined {
    return this.#edge
  }

  /** What makes them; `open` is asked once for each choice. */
  open(open: (choice: VariationChoice) => Promise<Edge>): Promise<Edge> | undefined {
    if (this.#choice === null) return undefined
    return (this.#edge ??= open(this.#choice))
  }

  state(): VariationChoice | null {
    return this.#choice
  }

  restore(choice: VariationChoice | null | undefined): void {
    this.choice = choice ?? null
  }
}

/** How the answers of a world vary. */
export const variation = definePersistedService({
  name: 'variation',
  schema: z.lazy(() => VariationChoice.unwrap().nullable().default(null)),
  create: ({ options }: World) => new Varying(options.variation ?? null),
})
