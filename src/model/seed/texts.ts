import { toHtml } from '../text.ts'
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
export function caption({ random, faker }: Sower, texts: 'believable' | 'edge', index: number): string {
  if (texts === 'edge') return edgeTexts[index % edgeTexts.length] ?? ''
  const text = `${random.pick(openings)}: ${random.pick(subjects)} ${random.pick(remarks)}.`
  const aside = random.chance(0.3) ? ` ${faker.word.adjective()} ${faker.word.noun()}, as always.` : ''
  const html = toHtml(`${text}${aside} ${random.pick(endings)}${random.pick(signs)}`.trim())
  if (random.chance(0.06)) return html.replace('</p>', ' <a href="https://example.com/shop">Link</a></p>')
  return random.chance(0.08) ? html.replace(/<p>([\w ]+):/, '<p><strong>$1</strong>:') : html
}

const commentTexts = ['Love this', 'This made my day!', 'Where is that?', 'Incredible as always', 'Need the recipe please', 'You never miss', 'Wow', 'Second take is better, sorry not sorry', 'Been waiting for this one', 'How long did that take?', 'My favourite so far', 'More of these please 🙏', 'The light in this one...', 'Congratulations!', 'Haha, relatable', 'Proud of you', '🔥🔥🔥', '❤️', 'Tried it, can confirm', 'Where did you get that jacket?']

/** The text of a comment. */
export function commentText({ random }: Sower): string {
  return random.pick(commentTexts)
}

const fanTexts = ['Hi! Just joined, love your page', 'How was your weekend?', 'That last post was great', 'Do you take requests?', 'When is the next live?', 'Thank you for the reply!', 'Happy birthday by the way', 'I showed it to my sister, she loved it', 'Can I ask what camera you use?', 'Good night from here', 'Sent you a little something', 'Any plans for the holidays?']
const creatorTexts = ['Welcome, so happy you are here!', 'Aww thank you', 'Busy but good! And yours?', 'Next live is on Friday', 'I do, tell me more', 'You are too kind', 'Here is something I have not posted yet', 'Made this one for you', 'It is an old film camera, believe it or not', 'Sleep well!', 'Home for a week, then on the road again', 'That means a lot']

/** The text of a message, as HTML. */
export function messageText({ random }: Sower, isFromFan: boolean): string {
  return toHtml(random.pick(isFromFan ? fanTexts : creatorTexts))
}
