import { defineFactory } from '../../world/making.ts'

/** Completes uploads: of a photo in one part, whose bytes are still to come. */
const uploadFactory = defineFactory({
  name: 'upload',
  table: 'uploads',
  after: ['account'],
  time: 'createdAt',
  complete(given, making) {
    const id = given.id ?? making.random.uuid()
    return {
      id,
      accountId: making.accountId(given),
      key: `upload/${id}/photo.jpg`,
      type: 'photo' as const,
      partCount: 1,
      createdAt: making.iso,
    }
  },
})

export const uploadsFactories = [uploadFactory] as const
