import { z } from 'zod'
import type { Edge } from './edge.ts'
import { defineSavedPart } from './part.ts'
import type { World } from './world.ts'

/** What may vary in the answers, in the order of docs/variation.md: `src/variation` says how. */
export const variationNames = [
  'absent-fields',
  'null-fields',
  'unknown-keys',
  'open-values',
  'key-order',
  'time-forms',
  'large-ids',
  'short-pages',
  'empty-page',
  'null-next-page',
  'moving-counts',
  'error-texts',
  'slow-answers',
  'expiring-links',
] as const
export type VariationName = (typeof variationNames)[number]

/** How the answers vary. */
export const VariationChoice = z.lazy(() =>
  z.strictObject({
    seed: z.int().default(1).describe('Where the chance of it comes from: with the same seed it is the same.'),
    only: z
      .array(z.enum(variationNames))
      .min(1)
      .max(variationNames.length)
      .optional()
      .describe('The variations, by name. Absent: all of them.'),
    delayMs: z.int().min(0).max(60_000).default(200).describe('How long slow-answers waits at most, real ms.'),
  }),
)
export type VariationChoice = z.output<typeof VariationChoice>

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
export const variation = defineSavedPart({
  name: 'variation',
  schema: VariationChoice.unwrap().nullable().default(null),
  create: ({ options }: World) => new Varying(options.variation ?? null),
})
