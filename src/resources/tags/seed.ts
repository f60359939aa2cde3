import { dayMs, toIsoTime } from '../../lib/time.ts'
import { reassignIdsByTime } from '../../seed/reassign-ids.ts'
import { appendRows, getTimeDaysAgo } from '../../seed/seeding.ts'
import type { SeedContext } from '../../seed/seeding.ts'
import type { Tag } from './tags.table.ts'

/** Seeds the tags of an organisation. */
export function seedTags(
  seeding: SeedContext,
  { id: organisation, tags }: { id: number; tags: readonly Pick<Tag, 'name' | 'color'>[] },
): void {
  const added = tags.map((tag) => ({
    id: seeding.nextId('tags'),
    organisation,
    ...tag,
    created_at: toIsoTime(getTimeDaysAgo(seeding, 400) - seeding.random.integer(0, 40 * dayMs)),
  }))
  reassignIdsByTime(added, ({ created_at }) => created_at)
  appendRows(seeding.rows.tags, added)
}
