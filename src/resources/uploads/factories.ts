import { defineFactory } from '../define-factory.ts'

/**
 * Fills in missing fields of uploads. By default, an upload is a photo in one part, which has not
 * been received yet.
 */
export const uploadFactory = defineFactory({
  name: 'upload',
  table: 'uploads',
  time: 'createdAt',
  complete(given, context) {
    const id = given.id ?? context.random.uuid()
    return {
      id,
      accountId: context.accountId(given),
      key: `upload/${id}/photo.jpg`,
      type: 'photo' as const,
      partCount: 1,
      createdAt: context.iso,
    }
  },
})
