/** A GIF of the provider that the platform searches. */
export interface Gif {
  id: string
  title: string
  slug: string
  rating: 'g' | 'pg' | 'pg-13'
  width: number
  height: number
}

const moods = ['happy', 'sad', 'funny', 'excited', 'angry', 'cute', 'tired', 'shy', 'proud', 'surprised', 'confused', 'bored', 'nervous', 'lovely', 'wild', 'lazy'] as const

const subjects = [
  'cat', 'dog', 'puppy', 'kitten', 'bunny', 'panda', 'bear', 'monkey', 'penguin', 'fox', 'owl', 'baby', 'girl', 'boy', 'couple', 'friends', 'party', 'birthday', 'cake', 'coffee',
  'pizza', 'burger', 'wine', 'beer', 'champagne', 'beach', 'summer', 'winter', 'snow', 'rain', 'sunset', 'ocean', 'city', 'night', 'morning', 'monday', 'friday', 'weekend', 'holiday', 'christmas',
  'halloween', 'new year', 'valentine', 'love', 'heart', 'kiss', 'hug', 'wink', 'smile', 'laugh', 'cry', 'dance', 'dancing', 'clap', 'applause', 'thumbs up', 'high five', 'wave', 'hello', 'hi',
  'bye', 'goodbye', 'thank you', 'thanks', 'please', 'sorry', 'yes', 'no', 'ok', 'maybe', 'wow', 'omg', 'lol', 'what', 'why', 'good morning', 'good night', 'good luck', 'congratulations', 'welcome',
  'miss you', 'love you', 'hot', 'fire', 'sexy', 'flirt', 'bed', 'sleep', 'yoga', 'gym', 'workout', 'running', 'football', 'basketball', 'music', 'guitar', 'singing', 'movie', 'money', 'rich',
  'shopping', 'selfie', 'photo', 'work', 'office', 'computer', 'phone', 'car', 'travel', 'plane', 'magic', 'rainbow', 'unicorn', 'flowers', 'rose', 'star', 'moon', 'fireworks', 'confetti', 'mic drop',
] as const

const ratings = ['g', 'g', 'g', 'pg', 'pg', 'pg-13'] as const
const sizes = [[480, 270], [480, 480], [500, 375], [400, 400], [480, 360], [270, 480]] as const
const trendingEvery = 8

/** The GIFs whose titles have a word for each word of the query that begins with it, likeliest first. */
export function searchGifs(query: string): Gif[] {
  const wanted = query.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  if (wanted.length === 0) return []
  const found = catalogue((mood, subject) => {
    const words = [mood, ...subject.split(' '), 'gif']
    return wanted.every((word) => words.some((known) => known.startsWith(word)))
  })
  return found.toSorted((a, b) => fitness(b, wanted) - fitness(a, wanted) || compare(a.id, b.id))
}

/** The GIFs that everybody sends. */
export function trendingGifs(): Gif[] {
  return catalogue((mood, subject) => hash(`${subject} of ${mood}`) % trendingEvery === 0).toSorted((a, b) => compare(a.id, b.id))
}

function catalogue(isWanted: (mood: string, subject: string) => boolean): Gif[] {
  return subjects.flatMap((subject) => moods.filter((mood) => isWanted(mood, subject)).map((mood) => toGif(mood, subject)))
}

function toGif(mood: string, subject: string): Gif {
  const words = `${mood} ${subject}`
  const seed = hash(words)
  const [width, height] = sizes[seed % sizes.length] ?? sizes[0]
  const id = (hash(`${words} a`).toString(36).padStart(7, '0') + hash(`${words} b`).toString(36).padStart(7, '0')).slice(0, 13)
  const title = `${words.replace(/\b\w/g, (letter) => letter.toUpperCase())} GIF`
  return { id, title, slug: `${words.replaceAll(' ', '-')}-${id}`, rating: ratings[seed % ratings.length] ?? 'g', width, height }
}

/** How many of the words wanted stand whole in the title. */
function fitness({ title }: Gif, wanted: readonly string[]): number {
  const words = title.toLowerCase().split(' ')
  return wanted.filter((word) => words.includes(word)).length
}

/** FNV-1a of 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value >>> 0
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
