import { z } from 'zod'
import { count } from '../../engine/sizes.ts'

/** What a scenario can say of links of both kinds. */
export const linkMarks = {
  promoCost: z.number().min(0).nullable().default(null).describe('What its promotion cost, dollars.'),
  shares: count.max(100).default(0).describe('How many public pages it has; every second one has closed.'),
}

/** How many fans came through links. */
export function claimersOf(links: readonly { claimers: number }[]): number {
  return links.reduce((sum, { claimers }) => sum + claimers, 0)
}
