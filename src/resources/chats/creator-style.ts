import { isAddressable } from './moods.ts'
import type { Persona } from '../../seed/persona.ts'
import { contractions, replaceWordForms } from './word-forms.ts'

/** Full spellings of words that the shared dialogues write as people do in a hurry. */
const fullForms: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...contractions,
    thx: 'thanks',
    ty: 'thank you',
    sry: 'sorry',
    pls: 'please',
    tbh: 'honestly',
    rn: 'right now',
    lol: 'haha',
    np: 'no problem',
    gn: 'good night',
    gm: 'good morning',
    idk: 'no idea',
  }),
)
const emoji = /[\p{Extended_Pictographic}\u{FE0F}]+/gu
/** Matches an emoji between two words, where a comma is missing without it. */
const emojiBetweenWords =
  /(?<=[\p{L}\p{N}])(?: ?[\p{Extended_Pictographic}\u{FE0F}])+ (?=[\p{L}\p{N}])/gu
/** Matches texts that may have emoji. This test is faster than looking for emoji. */
const special = /[^ -~]/

/**
 * Writes a line of the shared dialogues as the creator writes captions: in lower case or with
 * capitals and full words, and with emoji only if the captions have some.
 */
export function spellAsCreator({ lowerCase, emoji: own }: Persona, text: string): string {
  const plain = own === undefined && special.test(text) ? withoutEmoji(text) : text
  if (lowerCase) return plain
  const said = replaceWordForms(plain, fullForms).replace(
    /[^.][.!?] [a-z]/g,
    (end) => end.slice(0, -1) + end.slice(-1).toUpperCase(),
  )
  return said.charAt(0).toUpperCase() + said.slice(1)
}

function withoutEmoji(text: string): string {
  const plain = text.replace(emojiBetweenWords, ', ').replace(emoji, '')
  return plain.replaceAll('  ', ' ').trim() || ':)'
}

/**
 * Writes a short text with the punctuation of captions. Returns the text unchanged if the creator
 * writes captions in lower case.
 */
export function spellCarefully({ lowerCase }: Persona, text: string): string {
  if (lowerCase) return text
  const plain = text.replace(/ ?:\)/g, '').replace(/!+/g, '!').trim()
  return /[\p{L}\p{N}]$/u.test(plain) ? `${plain}.` : plain
}

/** Removes a full stop at the end of a text. */
export function withoutStop(text: string): string {
  return text.endsWith('.') && !text.endsWith('..') ? text.slice(0, -1) : text
}

/** Adds a name after the first sentence of a text if it is a greeting, thanks or a wish. */
export function insertName(text: string, name: string): string {
  const end = /^[^,.!?:]{2,30}(?=[.!?]|$)/.exec(text)?.[0]
  return end === undefined || !isAddressable(end) ? text : `${end} ${name}${text.slice(end.length)}`
}
