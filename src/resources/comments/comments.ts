import type { SortedList } from '../../data/sorted-list.ts'
import type { ChangeListener } from '../../data/change-log.ts'
import type { World } from '../world.ts'
import type { Post } from '../posts/posts.table.ts'
import type { Comment } from './comments.table.ts'
import type { CommentEntry, Persona } from '../../seed/persona.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import type { TextOccasion, TextPicker } from '../../seed/text-picker.ts'
import type { Random } from '../../world/random.ts'

/** Returns the comments of a post, newest first. */
export function getComments(world: World, postId: number): SortedList<Comment> {
  return world.db.comments.in('byPost', postId)
}

/** Creates a comment without likes. `postedAt` is also the time of the last change. */
export function createComment(
  { id: postId, accountId }: Pick<Post, 'id' | 'accountId'>,
  { id, fanId, text, postedAt }: Pick<Comment, 'id' | 'fanId' | 'text' | 'postedAt'>,
) {
  return {
    id,
    accountId,
    postId,
    fanId,
    text,
    giphyId: null,
    postedAt,
    changedAt: postedAt,
    likesCount: 0,
    isLiked: false,
    isLikedByAuthor: false,
    isPinned: false,
    canLike: true,
  } satisfies Comment
}

/** Updates the `commentCount` of posts when comments are added or removed. */
export function createCommentCountUpdater(world: World): ChangeListener<Comment> {
  return (before, after) => {
    for (const postId of new Set([before?.postId, after?.postId])) {
      if (postId === undefined || world.db.posts.get(postId) === undefined) continue
      world.db.posts.update(postId, { commentCount: getComments(world, postId).size })
    }
  }
}

/**
 * Sets the comment counts of posts, for manually written records. Posts without comments keep their
 * count.
 */
export function fillCommentCounts({ db }: World): void {
  for (const postId of new Set(db.comments.all().map((comment) => comment.postId))) {
    const { size } = db.comments.in('byPost', postId)
    const post = db.posts.get(postId)
    if (post !== undefined && post.commentCount !== size)
      db.posts.update(postId, { commentCount: size })
  }
}

/** The text of a fan's comment, and the creator's reply, if any. Plain text. */
interface DrawnComment {
  text: string
  reply?: string | undefined
}

/**
 * Probabilities that a comment is about the topic of the post or consists only of emoji, and that a
 * comment without a reply of its own gets a short one.
 */
const chances = { topic: 0.62, emoji: 0.09, reply: 0.22 }

/** Writes comments on the posts of one creator, in the fans' languages. */
export class CommentWriter {
  readonly #random: Random
  readonly #picker: TextPicker
  readonly #texts: SeedTexts['comments']
  readonly #persona: Persona

  constructor(
    random: Random,
    {
      texts,
      persona,
      picker,
    }: { texts: Pick<SeedTexts, 'comments'>; persona: Persona; picker: TextPicker },
  ) {
    this.#random = random
    this.#picker = picker
    this.#texts = texts.comments
    this.#persona = persona
  }

  /** Writes a comment on a post about a topic, in a language such as `de`. */
  write(topic: string, occasion: TextOccasion, language = 'en'): DrawnComment {
    const random = this.#random
    const { emoji, languages, any, replies } = this.#texts
    const only = random.chance(chances.emoji) ? emoji : languages[language]
    if (only !== undefined) return { text: this.#picker.pick(only, occasion) ?? '' }
    const own = this.#persona.topics[topic]?.comments ?? []
    const chosen =
      (random.chance(chances.topic) ? this.#deal(own, occasion) : undefined) ??
      this.#deal(any, occasion)
    const { text, reply } =
      typeof chosen === 'object' ? chosen : { text: chosen ?? '', reply: undefined }
    // A short reply answers no question.
    const isShort = !reply && !text.includes('?') && random.chance(chances.reply)
    return {
      text: this.#picker.fill(text, occasion),
      reply: isShort ? random.pick(replies) : reply && this.#picker.fill(reply, occasion),
    }
  }

  #deal(list: readonly CommentEntry[], occasion: TextOccasion): CommentEntry | undefined {
    return this.#picker.pickItem(list, occasion)
  }
}
