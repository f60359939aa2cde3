import { dayMs, hourMs, toIsoTime } from '../../lib/time.ts'
import { reassignIdsByTime } from '../../seed/seed-ids.ts'
import { appendRows, getTimeDaysAgo } from '../seeding.ts'
import type { OrganisationPlan, SeedContext } from '../seeding.ts'
import type { Tag } from './tags.table.ts'
import { defineFactory } from '../define.ts'
import { createTextSources } from '../../seed/texts.ts'

/** Seeds the tags of an organisation, which are created after its first account joined. */
export function seedTags(
  seeding: SeedContext,
  {
    id: organisation,
    tags,
    accounts,
  }: Pick<OrganisationPlan, 'id' | 'accounts'> & {
    tags: readonly Pick<Tag, 'name' | 'color'>[]
  },
): void {
  const joined = Math.min(...accounts.map(({ joinedAt }) => joinedAt))
  const earliest = Math.min(joined + hourMs, seeding.now - hourMs)
  const from = Math.max(getTimeDaysAgo(seeding, 440), accounts.length === 0 ? 0 : earliest)
  const until = Math.min(from + 40 * dayMs, seeding.now)
  const added = tags.map((tag) => ({
    id: seeding.nextId('tags'),
    organisation,
    ...tag,
    created_at: toIsoTime(until - seeding.random.integer(0, until - from)),
  }))
  reassignIdsByTime(added, ({ created_at }) => created_at)
  appendRows(seeding.rows.tags, added)
}

/** Fills in missing fields of tags. */
export const tagFactory = defineFactory({
  name: 'tag',
  table: 'tags',
  time: 'created_at',
  complete: ({ organisation }, context) => ({
    organisation:
      organisation ??
      context.only('organisation', context.world.db.organisations.slice(0, 11), 'organisation'),
    name: context.random.pick(createTextSources(context).texts.names.nouns),
    created_at: context.iso,
  }),
})
