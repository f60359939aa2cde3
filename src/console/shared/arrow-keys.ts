/**
 * Converts an arrow key to the index that it leads to in a list, and prevents its default.
 * Undefined for other keys.
 */
export function indexByArrow(
  event: KeyboardEvent,
  { index, count }: { index: number; count: number },
): number | undefined {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return undefined
  event.preventDefault()
  return Math.max(0, Math.min(count - 1, index + step))
}
