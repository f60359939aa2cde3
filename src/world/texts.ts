import { toHtml } from '../engine/text.ts'
import type { Sower } from './sowing.ts'

const openings = ['Good morning', 'New one', 'Sunday mood', 'Behind the scenes', 'Quick update', 'Long day', 'Rainy afternoon', 'Road trip, day two', 'Fresh out of the studio', 'Back home', 'Late night', 'You asked for it', 'Small win', 'First take', 'Throwback', 'Golden hour']
const subjects = ['leg day', 'the new recipe', 'this melody', 'the morning run', 'my balcony garden', 'the rehearsal', 'a very slow breakfast', 'the long ride', 'the new camera', 'the sourdough', 'the old guitar', 'the market haul', 'the cold plunge', 'a walk by the sea', 'the full set', 'the studio tour']
const remarks = ['took longer than planned', 'came out better than I hoped', 'is not for the faint of heart', 'made me laugh twice', 'is finally done', 'nearly broke me', 'needs your opinion', 'was worth the wait', 'is the best part of my week', 'goes out to the early risers', 'happened in one take', 'will be back next month']
const endings = ['Tell me what you think.', 'More tomorrow!', 'Full version in the messages.', 'Who is with me?', 'Thank you for being here.', 'Questions below.', 'Guess where this is.', 'Save it for later.', 'Part two is coming.', '']
const signs = ['', '', '', ' ☀️', ' 🎸', ' 🍋', ' 💪', ' 🌊', ' ✨', ' 🎧']

const edgeTexts = [
  '<p><b>Bold</b> &amp; <i>italic</i>, 2 &lt; 3, <a href="https://example.test/?a=1&amp;b=2">a link</a></p>',
  '<p>Emoji 💥👩‍👩‍👧‍👦🏳️‍🌈 and flags 🇸🇪</p>',
  '<p>שלום עולם, مرحبا بالعالم, mixed with English</p>',
  `<p>${'A very long caption that goes on and on. '.repeat(120)}</p>`,
  '<p>Line one<br />line two</p><p>Paragraph two</p>',
  '<p>&quot;Quotes&quot; &#39;apostrophes&#39; \\ backslash / slash \t tab</p>',
  '<p>ＦＵＬＬ ｗｉｄｔｈ, combining é, zero\u200Bwidth</p>',
  '<p>日本語のキャプション — 中文 — 한국어</p>',
]

/** The caption of a post, as HTML. */
export function caption({ random, faker }: Pick<Sower, 'random' | 'faker'>, texts: 'believable' | 'edge', index: number): string {
  if (texts === 'edge') return edgeTexts[index % edgeTexts.length] ?? ''
  const text = `${random.pick(openings)}: ${random.pick(subjects)} ${random.pick(remarks)}.`
  const aside = random.chance(0.3) ? ` Powered by ${faker.food.fruit()} and ${faker.music.genre().toLowerCase()}.` : ''
  const html = toHtml(`${text}${aside} ${random.pick(endings)}${random.pick(signs)}`.trim())
  if (random.chance(0.06)) return html.replace('</p>', ' <a href="https://example.com/shop">Link</a></p>')
  return random.chance(0.08) ? html.replace(/<p>([\w ]+):/, '<p><strong>$1</strong>:') : html
}

const commentTexts = ['Love this', 'This made my day!', 'Where is that?', 'Incredible as always', 'Need the recipe please', 'You never miss', 'Wow', 'Second take is better, sorry not sorry', 'Been waiting for this one', 'How long did that take?', 'My favourite so far', 'More of these please 🙏', 'The light in this one...', 'Congratulations!', 'Haha, relatable', 'Proud of you', '🔥🔥🔥', '❤️', 'Tried it, can confirm', 'Where did you get that jacket?']

/** The text of a comment. */
export function commentText({ random }: Pick<Sower, 'random'>): string {
  return random.pick(commentTexts)
}

/** What is said in chats: the fan begins, then they take turns. */
const exchanges: readonly (readonly string[])[] = [
  ['Hi! Just joined, love your page', 'Welcome, so happy you are here! What brought you?', 'The Sunday posts, mostly', 'Those are my favourite too'],
  ['How was your weekend?', 'Busy but good! And yours?', 'Slept, cooked, slept again', 'The dream'],
  ['When is the next live?', 'Friday at eight, if the neighbours allow', 'I will be there'],
  ['Do you take requests?', 'I do, tell me more', 'Something slow, for late evenings', 'Noted. Give me a week'],
  ['I showed your last post to my sister, she loved it', 'That means a lot. Tell her hi!'],
  ['Can I ask what camera you use?', 'An old film camera, believe it or not', 'I knew it, the colours give it away'],
  ['Happy birthday, by the way!', 'Aww, thank you for remembering', 'Any cake?', 'Two. No regrets'],
  ['Any plans for the holidays?', 'Home for a week, then on the road again', 'Travel safe'],
  ['I tried the recipe yesterday', 'And? Be honest', 'Burnt the first one, the second was perfect', 'The first one never counts'],
  ['Thank you for the reply!', 'Always. It may take me a day, but I read everything'],
  ['Is the blue jacket from the last photos still around?', 'Found it at a flea market, so there is only the one'],
  ['Good night from here', 'Sleep well!'],
]

/** Exchanges in which the creator's first line sells something. */
const offers: readonly (readonly string[])[] = [
  ['That last post was great. Is there more of it?', 'There is, the long version is in here', 'Watching it tonight'],
  ['Do you have anything that you have not posted yet?', 'Here is something that nobody has seen', 'Worth it'],
  ['Will there be a behind the scenes?', 'Made this one for those who ask', 'Glad I asked, then'],
  ['I missed the live, is there a recording?', 'Of course, the whole hour', 'You saved my week'],
]

/** What a fan begins to talk about, as plain text. */
export function chatText({ random }: Pick<Sower, 'random'>): string {
  return random.pick(exchanges)[0] ?? ''
}

/** A line of a chat, as HTML. */
export interface Line {
  text: string
  isFromFan: boolean
  /** Whether what it speaks of is sold with it. */
  isOffer: boolean
}

/** So many lines of a chat between a fan and the creator. */
export function conversation({ random }: Sower, length: number): Line[] {
  const lines: Line[] = []
  const start = random.integer(0, exchanges.length - 1)
  for (let round = 0; lines.length < length; round += 1) {
    const isSale = round > 0 && random.chance(0.5)
    const exchange = isSale ? random.pick(offers) : (exchanges[(start + round) % exchanges.length] ?? [])
    for (const [place, text] of exchange.entries()) lines.push({ text: toHtml(text), isFromFan: place % 2 === 0, isOffer: isSale && place === 1 })
  }
  return lines.slice(0, length)
}
