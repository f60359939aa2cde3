import { z } from 'zod'
import { count } from '../../api/sizes.ts'

/** Fields that a scenario can set for both kinds of links. */
export const seededLinkFields = {
  promoCost: z
    .number()
    .min(0)
    .max(1_000_000_000)
    .nullable()
    .default(null)
    .describe('Cost of promoting the link, in dollars.'),
  shares: count
    .max(100)
    .default(0)
    .describe('Number of public pages. Every second page has expired.'),
}

/** Returns the total number of claimers of these links. */
export function countClaimers(links: readonly { claimers: number }[]): number {
  return links.reduce((sum, { claimers }) => sum + claimers, 0)
}
