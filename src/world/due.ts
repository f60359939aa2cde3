/** An effect that falls due at a time of the clock. */
export interface Due {
  /** When it falls due, epoch ms. */
  at: number
  fire: () => void
}
