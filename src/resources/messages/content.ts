import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { invalidParameter } from '../../errors.ts'
import type { World } from '../../world/world.ts'
import { requireMedia } from '../vault/vault.ts'
import type { MessageContent } from './messages.ts'
import type { MessageBody } from './schemas.ts'

/** The content of a message whose fields fit together. @throws {ApiError} parameter_invalid when they do not, or when media are not in the account's vault. */
export function messageContent(world: World, account: Account, body: MessageBody): MessageContent {
  const { text, lockedText, price, mediaFiles, previews, giphyId = null, rfTag, rfPartner, rfGuest } = body
  const content = { text, lockedText, price, mediaFiles, previews, giphyId, rfTag, rfPartner, rfGuest }
  checkContent(world, account, { content, given: body })
  return content
}

/** Makes sure that the fields of a message fit together, as far as they are given anew: what was there before is not looked into. @throws {ApiError} parameter_invalid */
export function checkContent(
  world: World,
  account: Account,
  { content, given }: { content: MessageContent; given: Partial<MessageBody> },
): void {
  const { text, price, mediaFiles, previews, giphyId } = content
  const refuse = (name: 'text' | 'price' | 'mediaFiles' | 'previews', value: unknown, expected: string) =>
    invalidParameter('Body field', name, value, expected)
  const hasMedia = given.mediaFiles !== undefined
  if (hasMedia) requireMedia(world, account, mediaFiles, 'mediaFiles')
  if (text === '' && mediaFiles.length === 0 && giphyId === null) {
    if (given.text !== undefined) throw refuse('text', text, 'it may be empty only with mediaFiles or giphyId')
    if (hasMedia) throw refuse('mediaFiles', mediaFiles, 'it may be empty only with text or giphyId')
  }
  if (price > 0 && mediaFiles.length === 0) {
    if (given.price !== undefined) throw refuse('price', price, 'it needs mediaFiles')
    if (hasMedia) throw refuse('mediaFiles', mediaFiles, 'it may be empty only without a price')
  }
  const foreign = previews.find((id) => !mediaFiles.includes(id))
  if (foreign === undefined) return
  if (given.previews !== undefined) throw refuse('previews', foreign, 'it must list only ids of mediaFiles')
  if (hasMedia) throw refuse('mediaFiles', mediaFiles, `it must have ${foreign}, which previews lists`)
}
