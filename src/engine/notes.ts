import { z } from 'zod'

/** A caption for the audience, and when it was said. */
export const Note = z.strictObject({ at: z.iso.datetime(), text: z.string() })
export type Note = z.infer<typeof Note>

/** How many captions are kept. */
export const mostNotes = 100

/** The captions of a world, oldest first; the oldest goes when there are too many. */
export class Notes {
  #notes: readonly Note[] = []

  /** Adds a caption. */
  add(note: Note): void {
    this.#notes = [...this.#notes, note].slice(-mostNotes)
  }

  /** The captions, oldest first. */
  list(): Note[] {
    return [...this.#notes]
  }

  /** Goes back to captions of before. */
  restore(notes: readonly Note[]): void {
    this.#notes = notes.slice(-mostNotes)
  }
}
