/**
 * Returns the list index that an arrow key moves to, and prevents the key's default action. Returns
 * undefined for other keys.
 */
export function getArrowKeyIndex(
  event: KeyboardEvent,
  { index, count }: { index: number; count: number },
): number | undefined {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return undefined
  event.preventDefault()
  return Math.max(0, Math.min(count - 1, index + step))
}
