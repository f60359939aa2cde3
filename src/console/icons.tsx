const shapes = {
  play: 'M7 4v16l13-8z',
  pause: 'M6 4h4v16H6zM14 4h4v16h-4z',
  step: 'M5 4v16l10-8zM16 4h3v16h-3z',
  start: 'M19 4v16L9 12zM5 4h3v16H5z',
} as const

/** An icon on a button. The button also has a label in words. */
export function Icon({ name }: { name: keyof typeof shapes }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  )
}
