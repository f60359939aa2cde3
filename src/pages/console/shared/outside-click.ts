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
