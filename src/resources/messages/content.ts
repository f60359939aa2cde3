import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { isBlankHtml } from '../../lib/text.ts'
import { createInvalidParameterError } from '../../errors.ts'
import type { World } from '../world.ts'
import { requireMediaByIds } from '../vault/vault.ts'
import type { MessageContent } from './messages.ts'
import type { MessageBody } from './schemas.ts'

/**
 * Reads and validates the content of a message from a request body.
 * @throws {ApiError} parameter_invalid if the fields are inconsistent, or the media are not in the
 * account's vault
 */
export function readMessageContent(
  world: World,
  account: Account,
  body: MessageBody,
): MessageContent {
  const {
    text,
    lockedText,
    price,
    mediaFiles,
    previews,
    giphyId = null,
    rfTag,
    rfPartner,
    rfGuest,
  } = body
  const content = {
    text,
    lockedText,
    price,
    mediaFiles,
    previews,
    giphyId,
    rfTag,
    rfPartner,
    rfGuest,
  }
  checkMessageContent(world, account, { content, changed: body })
  return content
}

/**
 * Checks that the fields of a message are consistent. Errors mention only fields that the request
 * contains (`changed`), because stored fields are not validated again.
 * @throws {ApiError} parameter_invalid
 */
export function checkMessageContent(
  world: World,
  account: Account,
  { content, changed }: { content: MessageContent; changed: Partial<MessageBody> },
): void {
  const { text, price, mediaFiles, previews, giphyId } = content
  const refuse = (
    name: 'text' | 'price' | 'mediaFiles' | 'previews',
    value: unknown,
    expected: string,
  ) => createInvalidParameterError('Body field', name, value, expected)
  const setsMedia = changed.mediaFiles !== undefined
  if (setsMedia) requireMediaByIds(world, account, mediaFiles, 'mediaFiles')
  if (isBlankHtml(text) && mediaFiles.length === 0 && giphyId === null) {
    if (changed.text !== undefined)
      throw refuse('text', text, 'it may be empty only with mediaFiles or giphyId')
    if (setsMedia)
      throw refuse('mediaFiles', mediaFiles, 'it may be empty only with text or giphyId')
  }
  if (price > 0 && mediaFiles.length === 0) {
    if (changed.price !== undefined) throw refuse('price', price, 'it needs mediaFiles')
    if (setsMedia) throw refuse('mediaFiles', mediaFiles, 'it may be empty only without a price')
  }
  const foreign = previews.find((id) => !mediaFiles.includes(id))
  if (foreign === undefined) return
  if (changed.previews !== undefined)
    throw refuse('previews', foreign, 'it must list only ids of mediaFiles')
  if (setsMedia)
    throw refuse('mediaFiles', mediaFiles, `it must contain ${foreign}, which is in previews`)
}
