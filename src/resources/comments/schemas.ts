import { z } from 'zod'
import { markAsInferred, platformTime, ShortUser } from '../../lib/fields.ts'

/** A comment. The API reference does not document its fields. */
export const PostComment = z.lazy(() =>
  markAsInferred(
    z.object({
      id: z.int(),
      author: ShortUser,
      text: z.string(),
      giphyId: z.string().nullable(),
      postedAt: platformTime,
      changedAt: platformTime,
      likesCount: z.int(),
      isLiked: z.boolean(),
      isLikedByAuthor: z.boolean(),
      isPinned: z.boolean(),
      canLike: z.boolean(),
    }),
  ),
)

/** A page of comments. */
export const CommentPage = z.lazy(() =>
  z.object({ list: z.array(PostComment), hasMore: z.boolean(), nextOffset: z.int() }),
)
