/** Words with which greetings, thanks, wishes and other lines in a good mood begin. */
const cheerfulWords: ReadonlySet<string> = new Set(
  (
    'hi hey heyy hello good gm gn morning night sleep happy enjoy thanks thank thx ty love loved ' +
    'great nice perfect cool yes yay finally wow omg amazing beautiful best congrats welcome haha lol'
  ).split(' '),
)

/** True if a line is in a good mood. */
export function isCheerful(text: string): boolean {
  const [first = ''] = text.toLowerCase().split(/[^a-z]/, 1)
  return cheerfulWords.has(first)
}

/** True for short lines in a good mood, to which people add a name or a pet name. */
export function isAddressable(text: string): boolean {
  return isCheerful(text) && /^\w+(?: \w+)?$/.test(text)
}
