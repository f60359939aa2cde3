import { z } from 'zod'

/** A caption for the audience, and the time at which it appeared. */
export const Note = z.strictObject({ at: z.iso.datetime().max(40), text: z.string().max(500) })
export type Note = z.infer<typeof Note>

/** The most captions that a world keeps. */
export const maxNotes = 100

/** The captions of a world. It drops the oldest ones. */
export class Notes {
  #notes: readonly Note[] = []

  /** Adds a caption. */
  add(note: Note): void {
    this.#notes = [...this.#notes, note].slice(-maxNotes)
  }

  /** The captions, oldest first. */
  list(): Note[] {
    return [...this.#notes]
  }

  /** Goes back to earlier captions. */
  restore(notes: readonly Note[]): void {
    this.#notes = notes.slice(-maxNotes)
  }
}
