/** The size of a drawing: width and height in its own units. */
export type Size = readonly [width: number, height: number]

/** Draws a rectangle, with rounded corners if asked. */
export function rect(
  [x, y, width, height]: readonly [number, number, number, number],
  fill: string,
  radius = 0,
): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`
}

/** Draws an ellipse, or a circle where it has one radius. */
export function oval(
  [cx, cy, rx, ry = rx]: readonly [number, number, number, number?],
  fill: string,
): string {
  return `<ellipse cx="${round(cx)}" cy="${round(cy)}" rx="${round(rx)}" ry="${round(ry)}" fill="${fill}"/>`
}

/** Fills the outline of a path. */
export function shape(d: string, fill: string): string {
  return `<path d="${d}" fill="${fill}"/>`
}

/** Draws a path as a line with round ends. */
export function line(d: string, stroke: string, width: number): string {
  return `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`
}

/** Moves, scales and turns (degrees) what it holds. */
export function moved(
  [x, y, scale = 1, angle = 0]: readonly [number, number, number?, number?],
  ...content: string[]
): string {
  return `<g transform="translate(${round(x)} ${round(y)}) rotate(${round(angle)}) scale(${scale})">${content.join('')}</g>`
}

/** Mirrors what it holds at its own vertical axis. */
export function mirrored(...content: string[]): string {
  return `<g transform="scale(-1 1)">${content.join('')}</g>`
}

/** Makes what it holds see-through: 0 is invisible. */
export function faded(opacity: number, ...content: string[]): string {
  return `<g opacity="${round(opacity)}">${content.join('')}</g>`
}

/** Blurs what it holds. */
export function blurred(radius: number, ...content: string[]): string {
  return `<g filter="url(#blur_${radius})">${content.join('')}</g>`
}

/** Shows only what lies within the outline of a path. */
export function within(d: string, ...content: string[]): string {
  const id = `clip${[...d].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7)}`
  return `<clipPath id="${id}"><path d="${d}"/></clipPath><g clip-path="url(#${id})">${content.join('')}</g>`
}

/** A soft shadow on the ground. */
export function shadow(ellipse: readonly [number, number, number, number]): string {
  return blurred(12, faded(0.28, oval(ellipse, '#1a1030')))
}

/** The drawings of the numbers below `count`, one over the other. */
export function times(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join('')
}

/** A fill that goes through the colours from top to bottom. */
export function down(...colours: string[]): string {
  return gradient('down', colours)
}

/** A fill that goes through the colours from left to right. */
export function across(...colours: string[]): string {
  return gradient('across', colours)
}

/** A fill that goes through the colours from the middle outwards. */
export function glow(...colours: string[]): string {
  return gradient('glow', colours)
}

/** The document of a drawing. It defines the gradients and blurs that the drawing names. */
export function toDocument([width, height]: Size, content: string): string {
  const names = new Set([...content.matchAll(/url\(#([a-z]+_\w+)\)/g)].map(([, name = '']) => name))
  const definitions = [...names].map(toDefinition).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><defs>${definitions}</defs>${content}</svg>`
}

/** A source of numbers from 0 to 1 that are always the same for the same seed. */
export function createChance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A number as drawings write it. */
export function round(value: number): number {
  return Math.round(value * 10) / 10
}

function gradient(kind: string, colours: readonly string[]): string {
  return `url(#${kind}_${colours.map((colour) => colour.slice(1)).join('_')})`
}

function toDefinition(name: string): string {
  const [kind = '', ...values] = name.split('_')
  if (kind === 'blur') {
    return `<filter id="${name}" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${values[0]}"/></filter>`
  }
  const last = Math.max(1, values.length - 1)
  const stops = values
    .map(
      (colour, index) => `<stop offset="${round((index / last) * 100)}%" stop-color="#${colour}"/>`,
    )
    .join('')
  if (kind === 'glow') return `<radialGradient id="${name}">${stops}</radialGradient>`
  const direction = kind === 'down' ? 'x1="0" y1="0" x2="0" y2="1"' : 'x1="0" y1="0" x2="1" y2="0"'
  return `<linearGradient id="${name}" ${direction}>${stops}</linearGradient>`
}
