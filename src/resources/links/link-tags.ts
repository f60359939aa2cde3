import type { Account } from '../../world/tenancy/tenancy.table.ts'
import type { SeedContext } from '../../seed/seeding.ts'

/** The link to tag. */
interface TaggedLink {
  name: string
  promoCost: number | null
  createdAt: string
}

/** Probabilities that a link has a tag whose rule it meets (fitting), and a tag without a rule (any). */
const chances = { fitting: 0.8, any: 0.3 }

/** For tags whose names contain certain words: the links that they fit. */
const rules: readonly (readonly [RegExp, (link: TaggedLink) => boolean])[] = [
  [/\b(paid|ads?)\b/i, ({ promoCost }) => promoCost !== null],
  [/organic/i, ({ promoCost }) => promoCost === null],
  [/podcast/i, ({ name }) => /podcast|radio/i.test(name)],
  [/summer/i, ({ createdAt }) => /-0[678]-/.test(createdAt)],
  [/winter/i, ({ createdAt }) => /-(12|01|02)-/.test(createdAt)],
  [/partner|referral/i, ({ name }) => /friend|guest|club|clinic|forum|fair/i.test(name)],
]

/** Picks the tags of a link from the tags of the account's organisation, by their names. */
export function pickLinkTags(
  seeding: SeedContext,
  { organisation }: Pick<Account, 'organisation'>,
  link: TaggedLink,
): number[] {
  const { random } = seeding.branch('tags', link.name)
  return seeding.common.tags
    .filter((tag) => tag.organisation === organisation)
    .filter(({ name }) => {
      const [, fits] = rules.find(([words]) => words.test(name)) ?? []
      if (fits === undefined) return random.chance(chances.any)
      return random.chance(chances.fitting) && fits(link)
    })
    .map(({ id }) => id)
}
