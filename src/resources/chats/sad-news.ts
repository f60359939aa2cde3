/** Phrases that indicate sad news, in lower case. */
const signs = [
  'in hospital',
  'dad fell',
  'not a good day',
  'family stuff',
  'worried',
  'limping',
  'to the vet',
  'eat since',
  'is gone',
  'got out',
  'no sign of',
  'have to go',
  'like myself',
] as const

/** True if a message contains sad news. */
export function hasSadNews(text: string): boolean {
  const said = text.toLowerCase()
  return signs.some((sign) => said.includes(sign))
}
