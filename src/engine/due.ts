/** Something that is to happen at a time of the clock. */
export interface Due {
  /** Epoch ms. */
  at: number
  fire: () => void
}
