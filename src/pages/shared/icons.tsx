const shapes = {
  play: 'M7 4v16l13-8z',
  pause: 'M6 4h4v16H6zM14 4h4v16h-4z',
  step: 'M5 4v16l10-8zM16 4h3v16h-3z',
  start: 'M19 4v16L9 12zM5 4h3v16H5z',
  check: 'M9 16.200 4.800 12 3.400 13.400 9 19 21 7l-1.400-1.400z',
  chat: 'M3 4h18v13H9l-5 4v-4H3z',
  warn: 'M12 3 2 21h20zM11 10h2v5h-2zM11 16.5h2v2h-2z',
  spark:
    'M12 2l2.6 6.9L22 9.3l-5.700 4.700L18.200 21.500 12 17.300 5.800 21.500 7.700 14 2 ' +
    '9.300l7.400-.4z',
  close:
    'M5 6.400 6.400 5 12 10.600 17.600 5 19 6.400 13.400 12 19 17.600 17.600 19 12 13.400 6.400 ' +
    '19 5 17.600 10.600 12z',
  link: 'M10 7H7a5 5 0 0 0 0 10h3v-2H7a3 3 0 0 1 0-6h3zM14 7h3a5 5 0 0 1 0 10h-3v-2h3a3 3 0 0 0 0-6h-3zM8 11h8v2H8z',
  more: 'M12 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM12 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM12 16a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  screen: 'M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z',
  search:
    'M10 3a7 7 0 1 0 4.200 12.600L20 21.400 21.400 20l-5.800-5.800A7 7 0 0 0 10 3zm0 2a5 5 0 1 1 0 10 5 5 0 0 1 0-10z',
  auto: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2v14a7 7 0 0 1 0-14z',
  light:
    'M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4z',
  dark: 'M14 3a9 9 0 1 0 7 13.500A8 8 0 0 1 14 3z',
} as const

/** An icon in a button that also has a label or an accessible name. */
export function Icon({ name }: { name: keyof typeof shapes }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  )
}
