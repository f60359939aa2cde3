import type { Size } from './svg.ts'

/** A picture to draw. */
export interface Scene {
  /** Its name, which becomes that of its folder: `sea-dawn` is drawn to `photo-sea-dawn`. */
  name: string
  /** What it shows, as the topics of creators name it. */
  topics: readonly string[]
  size: Size
  draw: (size: Size) => string
}

export const wide: Size = [1200, 900]
export const tall: Size = [900, 1200]
export const square: Size = [1000, 1000]
