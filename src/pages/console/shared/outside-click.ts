/** Closes a dialog when the user clicks or taps outside it. */
export function closeOnOutsideClick(
  event: MouseEvent & { currentTarget: HTMLDialogElement },
): void {
  const { currentTarget: dialog, target, clientX: x, clientY: y } = event
  // Clicks on the backdrop and on the padding of the dialog both have the dialog as their target.
  if (target !== dialog) return
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  if (x < left || x > right || y < top || y > bottom) dialog.close()
}

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
