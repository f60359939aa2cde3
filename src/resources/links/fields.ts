import { z } from 'zod'

/** The two kinds of links that bring fans: campaigns, and free trials. */
export const LinkKind = z.enum(['tracking', 'trial'])
export type LinkKind = z.infer<typeof LinkKind>

/** What links of both kinds have: whose they are, and the service's own fields (custom name to tags). */
export const linkFields = {
  id: z.int(),
  accountId: z.int(),
  createdAt: z.iso.datetime(),
  customName: z.string().nullable(),
  note: z.string().nullable(),
  customSourceUrl: z.string().nullable(),
  promoCost: z.number().nullable(),
  isHidden: z.boolean(),
  tags: z.array(z.int()),
}

/** The service's own fields of a new link. */
export const nothingMarked = { customName: null, note: null, customSourceUrl: null, promoCost: null, isHidden: false } as const

/** The id of a link among those of both kinds. */
export function linkKey(kind: LinkKind, linkId: number): string {
  return `${kind}:${linkId}`
}
