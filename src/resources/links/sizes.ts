import { z } from 'zod'
import { count } from '../../api/sizes.ts'

/** The fields that a scenario can set of a link of either kind. */
export const seededLinkFields = {
  promoCost: z
    .number()
    .min(0)
    .max(1_000_000_000)
    .nullable()
    .default(null)
    .describe('What its promotion cost, dollars.'),
  shares: count
    .max(100)
    .default(0)
    .describe('How many public pages it has; every second one has closed.'),
}

/** How many fans came through these links of a scenario. */
export function countClaimers(links: readonly { claimers: number }[]): number {
  return links.reduce((sum, { claimers }) => sum + claimers, 0)
}
