import { cloud, skies, stars } from './outdoors.ts'
import type { Hour } from './outdoors.ts'
import {
  blurred,
  down,
  faded,
  line,
  moved,
  oval,
  rect,
  shadow,
  shape,
  times,
  within,
} from './svg.ts'
import type { Size } from './svg.ts'

/** A wall and, from a line downwards, a floor. */
export function room(
  [width, height]: Size,
  { wall, floor, from }: { wall: readonly string[]; floor: readonly string[]; from: number },
): string {
  return (
    rect([0, 0, width, from], down(...wall)) +
    rect([0, from, width, height - from], down(...floor)) +
    rect([0, from - 16, width, 16], '#ffffff30')
  )
}

/** A table top from a line downwards, with its front edge. */
export function table(
  [width, height]: Size,
  { from, wood }: { from: number; wood: readonly [string, string, string] },
): string {
  const [light, middle, dark] = wood
  const grain = times(7, (index) => {
    const y = from + 24 + index * ((height - from) / 7)
    return faded(
      0.35,
      line(
        `M${((index * 173) % 300) - 80} ${y} q${width / 3} ${index % 2 === 0 ? 9 : -8} ${width * 0.8} 2`,
        dark,
        2,
      ),
    )
  })
  return (
    rect([0, from, width, height - from], down(light, middle)) +
    grain +
    rect([0, from, width, 7], '#ffffff38')
  )
}

/** The woods of tables. */
export const woods = {
  oak: ['#d9a56c', '#b97f48', '#93602f'],
  walnut: ['#8b5a3a', '#6b4029', '#4b2a1a'],
  birch: ['#efd9b6', '#dcbf93', '#c2a072'],
  white: ['#f6f1ea', '#e4ddd3', '#cfc6ba'],
  slate: ['#4a5563', '#38414e', '#28303b'],
} as const satisfies Record<string, readonly [string, string, string]>

/** A window with its frame, and the sky of the hour behind it. */
export function pane(
  [x, y, width, height]: readonly [number, number, number, number],
  hour: Hour,
  frame = '#fbf6ee',
): string {
  const outside = [
    rect([x, y, width, height], down(...skies[hour])),
    hour === 'night'
      ? moved([x, y], stars(24, [width, height * 0.8], 9)) +
        oval([x + width * 0.72, y + height * 0.24, 22], '#fdf6d8')
      : '',
    hour === 'day'
      ? cloud([x + width * 0.34, y + height * 0.3, 0.6]) +
        cloud([x + width * 0.8, y + height * 0.5, 0.45])
      : '',
    hour === 'grey'
      ? times(26, (index) =>
          faded(
            0.5,
            line(
              `M${x + ((index * 67) % width)} ${y + ((index * 113) % height)} l-7 34`,
              '#f4fbff',
              2.4,
            ),
          ),
        )
      : '',
  ].join('')
  const d = `M${x} ${y}h${width}v${height}h${-width}Z`
  return (
    rect([x - 16, y - 16, width + 32, height + 32], frame, 6) +
    within(d, outside) +
    rect([x + width / 2 - 6, y, 12, height], frame) +
    rect([x, y + height * 0.42, width, 10], frame) +
    rect([x - 34, y + height + 16, width + 68, 20], frame, 5) +
    rect([x - 34, y + height + 34, width + 68, 6], '#00000018')
  )
}

/** Light that falls from a window over the room. */
export function beam(d: string, colour = '#fff2c4'): string {
  return blurred(14, faded(0.3, shape(d, colour)))
}

/** A curtain that hangs from a point. */
export function curtain(
  [x, y, width, height]: readonly [number, number, number, number],
  [light, dark]: readonly [string, string],
): string {
  return times(5, (fold) => {
    const left = x + (fold * width) / 5
    return shape(
      `M${left} ${y} h${width / 5} q8 ${height * 0.5} 0 ${height} h${-width / 5} q-8 ${-height * 0.5} 0 ${-height} Z`,
      fold % 2 === 0 ? light : dark,
    )
  })
}

/** A picture in a frame on the wall. */
export function framed(
  [x, y, width, height]: readonly [number, number, number, number],
  content: string,
): string {
  return (
    rect([x - 10, y - 10, width + 20, height + 20], '#3d2b24', 3) +
    rect([x, y, width, height], '#f8f1e4') +
    content
  )
}

/** A leafy plant in a pot that stands at the point. */
export function pottedPlant(
  [x, y, scale]: readonly [number, number, number],
  { pot = '#d2734d', leaf = '#3f8f5b', light = '#62b578' } = {},
): string {
  const leaves = [-62, -38, -14, 12, 36, 60].map((angle, index) => {
    const length = 150 + ((index * 53) % 60)
    const d = `M0 0 C-34 ${-length * 0.35} -24 ${-length * 0.85} 0 ${-length} C26 ${-length * 0.8} 34 ${-length * 0.3} 0 0 Z`
    return moved(
      [0, -92, 1, angle],
      shape(d, index % 2 === 0 ? leaf : light),
      line(`M0 -6 L0 ${-length * 0.86}`, '#00000020', 3),
    )
  })
  return moved(
    [x, y, scale],
    shadow([0, 0, 74, 14]),
    ...leaves,
    shape('M-62 -96 L62 -96 L46 0 L-46 0 Z', pot),
    shape('M20 -96 L62 -96 L46 0 L26 0 Z', '#00000018'),
    rect([-70, -110, 140, 26], pot, 6),
    rect([-70, -90, 140, 6], '#00000022'),
  )
}

/** A mug that stands at the point, with steam where it is hot. */
export function mug(
  [x, y, scale]: readonly [number, number, number],
  colour = '#e8674f',
  isHot = true,
): string {
  const steam = isHot
    ? blurred(
        4,
        faded(
          0.65,
          line('M-22 -124 q-18 -26 0 -50 q18 -26 0 -48', '#ffffff', 9),
          line('M20 -124 q-16 -24 0 -46 q16 -22 0 -42', '#ffffff', 9),
        ),
      )
    : ''
  return moved(
    [x, y, scale],
    shadow([8, 0, 78, 12]),
    line('M52 -78 q52 -4 44 36 q-6 30 -50 24', colour, 15),
    shape('M-60 -106 L60 -106 L50 -10 Q46 0 34 0 L-34 0 Q-46 0 -50 -10 Z', colour),
    shape('M24 -106 L60 -106 L50 -10 Q46 0 34 0 L18 0 Z', '#00000016'),
    oval([0, -106, 60, 13], '#ffffff70'),
    oval([0, -104, 52, 10], '#4a2a18'),
    steam,
  )
}

/** A candle that burns, at the point. */
export function candle(
  [x, y, scale]: readonly [number, number, number],
  colour = '#f3e6d0',
): string {
  return moved(
    [x, y, scale],
    blurred(20, faded(0.55, oval([0, -120, 70], '#ffd98a'))),
    rect([-22, -84, 44, 84], colour, 5),
    rect([6, -84, 16, 84], '#00000012', 5),
    line('M0 -84 L0 -96', '#3b2a20', 3),
    shape('M0 -134 C18 -110 14 -92 0 -92 C-14 -92 -18 -110 0 -134 Z', '#ffb84a'),
    shape('M0 -118 C8 -106 7 -96 0 -96 C-7 -96 -8 -106 0 -118 Z', '#fff3c0'),
  )
}
