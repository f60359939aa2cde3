import type { Organisation } from '../../world/tenancy/tenancy.table.ts'
import { createApiError } from '../../errors.ts'
import type { World } from '../world.ts'
import { setLinkTags } from '../links/links.ts'
import type { Tag } from './tags.table.ts'

/**
 * Returns the given ids that belong to tags of the organisation, in the given order and without
 * duplicates.
 */
export function filterOwnTags(
  world: World,
  organisation: Organisation,
  ids: readonly number[],
): number[] {
  return [...new Set(ids)].filter((id) => world.db.tags.get(id)?.organisation === organisation.id)
}

/**
 * Returns the organisation's tag with the given id.
 * @throws {ApiError} tag_unknown
 */
export function requireTag(world: World, organisation: Organisation, tagId: number): Tag {
  const tag = world.db.tags.get(tagId)
  if (tag?.organisation !== organisation.id) throw createApiError('tag_unknown', { tag_id: tagId })
  return tag
}

export function createTag(
  world: World,
  organisation: Organisation,
  { name, color = null }: { name: string; color?: string | null },
): Tag {
  return world.db.tags.insert({
    id: world.nextId('tags'),
    organisation: organisation.id,
    name,
    color,
    created_at: world.clock.iso(),
  })
}

/** Deletes a tag and removes it from all links. */
export function deleteTag(world: World, tag: Tag): void {
  const links = [
    ...world.db.trackingLinks.list('byTag', tag.id),
    ...world.db.trialLinks.list('byTag', tag.id),
  ]
  for (const link of links)
    setLinkTags(
      world,
      link,
      link.tags.filter((id) => id !== tag.id),
    )
  world.db.tags.remove(tag.id)
}
