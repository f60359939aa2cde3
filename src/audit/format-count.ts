/** `1 request`, `2 requests`. */
export function formatCount(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}
