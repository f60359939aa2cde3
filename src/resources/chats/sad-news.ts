/** Parts of sad news, in small letters. */
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

/** True if a fan tells sad news. */
export function isSad(text: string): boolean {
  const said = text.toLowerCase()
  return signs.some((sign) => said.includes(sign))
}
