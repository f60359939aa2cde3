import { createChance, down, faded, glow, oval, rect, round, shape, times } from './svg.ts'
import type { Size } from './svg.ts'

/** The hours that skies are drawn by. */
export type Hour = 'dawn' | 'day' | 'gold' | 'dusk' | 'night' | 'grey'

/** The colours of the sky by the hour, from top to bottom. */
export const skies: Readonly<Record<Hour, readonly string[]>> = {
  dawn: ['#35407f', '#8d6aa8', '#f0a08c', '#fde0b0'],
  day: ['#3f97d6', '#86c8ee', '#dff2fa'],
  gold: ['#6db3d8', '#f3d9a4', '#ffc46e'],
  dusk: ['#33245f', '#8f3f78', '#ee6f56', '#fcc26a'],
  night: ['#080e2b', '#152251', '#33457c'],
  grey: ['#8297a5', '#aebec6', '#d9e1e2'],
}

/** A sky that fills the drawing. */
export function sky(hour: Hour, [width, height]: Size): string {
  return rect([0, 0, width, height], down(...skies[hour]))
}

/** The sun or the moon, with its light around it. */
export function sun([x, y, radius]: readonly [number, number, number], colour = '#fff4cf'): string {
  return (
    oval([x, y, radius * 4.2], glow(`${colour}90`, `${colour}30`, `${colour}00`)) +
    oval([x, y, radius], colour)
  )
}

/** Stars over the upper part of a night. */
export function stars(count: number, [width, height]: Size, seed = 1): string {
  const chance = createChance(seed)
  return times(count, () =>
    faded(
      0.3 + chance() * 0.7,
      oval([chance() * width, chance() * height, 1 + chance() * 2.2], '#ffffff'),
    ),
  )
}

/** A flat cloud. */
export function cloud(
  [x, y, scale]: readonly [number, number, number],
  colour = '#ffffffd0',
): string {
  const d =
    'M-120 0 Q-124 -34 -88 -34 Q-82 -74 -38 -70 Q-16 -106 26 -88 Q60 -98 72 -58 Q122 -60 122 -18 Q124 0 106 0 Z'
  return `<g transform="translate(${x} ${y}) scale(${scale})">${shape(d, colour)}</g>`
}

/** A range of hills from side to side. */
export function hills(
  [width, height]: Size,
  { base, rise, turn, fill }: { base: number; rise: number; turn: number; fill: string },
): string {
  const points = Array.from({ length: 61 }, (_, step) => {
    const place = step / 60
    const wave =
      Math.sin(place * 5.1 + turn) * 0.55 +
      Math.sin(place * 11.3 + turn * 2.3) * 0.3 +
      Math.sin(place * 23 + turn * 4.1) * 0.12
    return `${round(place * width)} ${round(base - wave * rise)}`
  })
  return shape(`M0 ${height} L${points.join(' L')} L${width} ${height} Z`, fill)
}

/** A range of pointed mountains, with snow if it has a colour. */
export function peaks(
  [width, height]: Size,
  {
    base,
    rise,
    seed,
    fill,
    snow,
  }: { base: number; rise: number; seed: number; fill: string; snow?: string },
): string {
  const chance = createChance(seed)
  const count = 5
  const step = width / (count - 1)
  const tops = Array.from(
    { length: count },
    (_, index) =>
      [
        index * step + (chance() - 0.5) * step * 0.5,
        base - rise * (0.55 + chance() * 0.45),
      ] as const,
  )
  const mountains = tops.map(([x, y]) => {
    const half = (base - y) * 0.95
    const body = shape(`M${x - half} ${base + 4} L${x} ${y} L${x + half} ${base + 4} Z`, fill)
    const shade = shape(
      `M${x} ${y} L${x + half} ${base + 4} L${x + half * 0.12} ${base + 4} L${x - half * 0.06} ${y + (base - y) * 0.5} Z`,
      '#00000022',
    )
    if (snow === undefined) return body + shade
    const depth = (base - y) * 0.3
    const cap =
      `M${x} ${y} L${x - depth * 0.95} ${y + depth} L${x - depth * 0.4} ${y + depth * 0.78} L${x - depth * 0.05} ${y + depth * 1.15} ` +
      `L${x + depth * 0.4} ${y + depth * 0.8} L${x + depth * 0.95} ${y + depth} Z`
    return body + shape(cap, snow) + shade
  })
  return mountains.join('') + rect([0, base, width, height - base], fill)
}

/** A fir tree; its foot stands at the point. */
export function pine(
  [x, y, scale]: readonly [number, number, number],
  fill: string,
  snow?: string,
): string {
  const tier = (top: number, half: number) =>
    shape(`M0 ${top} L${half} ${top + 70} L${-half} ${top + 70} Z`, fill)
  const white = (top: number, half: number) =>
    snow === undefined
      ? ''
      : shape(
          `M0 ${top} L${half * 0.5} ${top + 34} L${half * 0.1} ${top + 26} L${-half * 0.2} ${top + 38} L${-half * 0.5} ${top + 34} Z`,
          snow,
        )
  const tree =
    rect([-7, -24, 14, 26], '#4a2f27') +
    tier(-90, 58) +
    white(-90, 58) +
    tier(-134, 46) +
    white(-134, 46) +
    tier(-172, 34) +
    white(-172, 34)
  return `<g transform="translate(${round(x)} ${round(y)}) scale(${round(scale * 10) / 10})">${tree}</g>`
}

/** A tree with a round crown; its foot stands at the point. */
export function tree(
  [x, y, scale]: readonly [number, number, number],
  [dark, light]: readonly [string, string],
): string {
  const trunk =
    shape('M-12 0 L-7 -90 L7 -90 L12 0 Z', '#5b3a29') +
    shape('M-3 -70 L-36 -112 L-28 -116 L2 -86 Z', '#5b3a29')
  const crown = [
    [0, -150, 70],
    [-50, -120, 48],
    [52, -124, 46],
    [-24, -180, 48],
    [30, -186, 44],
  ] as const
  const leaves =
    crown.map(([cx, cy, r]) => oval([cx, cy, r], dark)).join('') +
    crown.map(([cx, cy, r]) => oval([cx - r * 0.18, cy - r * 0.2, r * 0.72], light)).join('')
  return `<g transform="translate(${round(x)} ${round(y)}) scale(${scale})">${trunk}${leaves}</g>`
}

/** Water from a line downwards, with glints of light. */
export function water(
  [width, height]: Size,
  {
    from,
    colours,
    glint,
    seed = 3,
  }: { from: number; colours: readonly string[]; glint: string; seed?: number },
): string {
  const chance = createChance(seed)
  const glints = times(46, (index) => {
    const depth = index / 46
    const y = from + 10 + depth * depth * (height - from)
    const half = 14 + depth * 60 * (0.4 + chance())
    return faded(0.15 + chance() * 0.4, oval([chance() * width, y, half, 1.4 + depth * 3.4], glint))
  })
  return rect([0, from, width, height - from], down(...colours)) + glints
}
