import { cloud, hills, sky, sun, water } from '../outdoors.ts'
import { tall, wide } from '../scene.ts'
import type { Scene } from '../scene.ts'
import type { Size } from '../svg.ts'
import { blurred, down, faded, line, moved, oval, rect, shadow, shape, times } from '../svg.ts'

/** The planks of a wharf, from that height down. */
export function planks([width, height]: Size, from: number): string {
  return (
    rect([0, from, width, height - from], '#7d6450') +
    times(Math.ceil(width / 100), (index) =>
      rect([index * 104, from, 98, height - from], index % 2 === 0 ? '#8d7460' : '#877058'),
    ) +
    rect([0, from, width, 14], '#5f4a3a')
  )
}

/** A trap for lobsters; its lower left corner is at the point. */
function trap([x, y, scale]: readonly [number, number, number], rope: string): string {
  return moved(
    [x, y, scale],
    rect([0, -150, 300, 150], '#c9a15f', 10),
    rect([14, -136, 272, 122], '#6d5236', 6),
    times(9, (index) => line(`M${14 + index * 34} -136 V-14`, '#c9a15f', 7)),
    times(3, (index) => line(`M14 ${-110 + index * 38} H286`, '#c9a15f', 7)),
    shape('M0 -150 L40 -186 L340 -186 L300 -150 Z', '#dcb878'),
    shape('M300 -150 L340 -186 L340 -40 L300 0 Z', '#a8824a'),
    line('M40 -170 q60 30 130 0 t120 4', rope, 10),
  )
}

export function buoy(
  [x, y, scale]: readonly [number, number, number],
  [body, band]: readonly [string, string],
): string {
  return moved(
    [x, y, scale],
    rect([-6, -190, 12, 60], '#5a4034', 4),
    shape('M-44 -20 Q-48 -120 0 -140 Q48 -120 44 -20 Q0 10 -44 -20 Z', body),
    shape('M-46 -60 Q0 -40 46 -60 L45 -92 Q0 -72 -45 -92 Z', band),
  )
}

/** A boat without a mast, seen from the side; its keel is at the point. */
export function dory(
  [x, y, scale, angle]: readonly [number, number, number, number],
  [hull, rim]: readonly [string, string],
): string {
  return moved(
    [x, y, scale, angle],
    shape('M-300 -130 Q-200 -20 -150 0 L170 0 Q250 -40 310 -160 Q20 -90 -300 -130 Z', hull),
    shape('M-300 -130 Q20 -90 310 -160 L312 -138 Q20 -66 -296 -108 Z', rim),
    line('M-262 -84 Q20 -40 284 -104', '#00000026', 5),
    line('M-226 -46 Q20 -10 252 -62', '#00000026', 5),
    line('M-120 -120 L120 -210', '#b98a55', 12),
    shape('M110 -214 Q160 -240 176 -222 Q160 -204 118 -200 Z', '#b98a55'),
  )
}

/** What photographers of a harbour have seen. */
export const harborScenes: readonly Scene[] = [
  {
    name: 'wharf-portrait',
    topics: ['harbor-people', 'portrait', 'harbor', 'people', 'work'],
    size: tall,
    draw: (size) =>
      sky('day', size) +
      cloud([200, 200, 1.1], '#ffffff90') +
      hills(size, { base: 560, rise: 60, turn: 3, fill: '#8fa3ad' }) +
      water(size, { from: 620, colours: ['#a9c0c9', '#6f8e9c'], glint: '#ffffff', seed: 3 }) +
      planks(size, 960) +
      moved(
        [450, 1010],
        shadow([0, 130, 210, 24]),
        shape('M-210 190 Q-230 -230 -90 -270 L90 -270 Q230 -230 210 190 Z', '#e8762c'),
        shape('M-60 -270 Q0 -210 60 -270 L44 -190 L-44 -190 Z', '#2f4a63'),
        line('M0 -190 V190', '#c65a18', 8),
        times(4, (index) => oval([22, -130 + index * 80, 9], '#fbe3c4')),
        line('M-170 -180 Q-230 0 -120 90 L30 60', '#d96a22', 74),
        line('M170 -180 Q230 0 120 70 L-30 90', '#e8762c', 74),
        oval([40, 66, 38, 32], '#d39b76'),
        rect([-40, -350, 80, 100], '#c48d69', 20),
        oval([0, -400, 98, 112], '#d9a680'),
        shape(
          'M-86 -370 Q-70 -270 0 -266 Q70 -270 86 -370 Q40 -330 0 -334 Q-40 -330 -86 -370 Z',
          '#d8d4cc',
        ),
        oval([-36, -410, 9], '#33383f'),
        oval([36, -410, 9], '#33383f'),
        line('M-56 -434 q20 -14 40 -2 M16 -436 q20 -12 40 2', '#b8b2a8', 9),
        line('M-6 -404 q-14 40 4 46', '#b37f5c', 7),
        shape('M-112 -440 Q-116 -540 0 -546 Q116 -540 112 -440 Q0 -480 -112 -440 Z', '#2f4a63'),
        shape('M-118 -436 Q0 -484 150 -430 Q120 -410 -110 -424 Z', '#233a50'),
      ),
  },
  {
    name: 'crab-pots',
    topics: ['nets', 'harbor', 'work', 'rope'],
    size: wide,
    draw: (size) =>
      sky('dusk', size) +
      sun([250, 300, 46], '#ffe2b8') +
      hills(size, { base: 400, rise: 50, turn: 1, fill: '#6d6488' }) +
      water(size, { from: 430, colours: ['#c99a94', '#5a5f86'], glint: '#ffe6c8', seed: 8 }) +
      planks(size, 640) +
      shadow([620, 830, 520, 22]) +
      trap([180, 830, 1.1], '#2f8f83') +
      trap([520, 830, 1.1], '#e8762c') +
      trap([350, 668, 1.1], '#f2d23f') +
      buoy([900, 840, 1.1], ['#e2503c', '#fdf6e6']) +
      buoy([1010, 820, 0.95], ['#f2b63a', '#2f4a63']) +
      buoy([1100, 850, 1.15], ['#2f8f83', '#fdf6e6']) +
      line('M860 850 q40 30 90 0 t100 10 t90 -6', '#e8d9b8', 14),
  },
  {
    name: 'fog-wharf',
    topics: ['weather', 'harbor', 'boat', 'sea', 'fog', 'view'],
    size: wide,
    draw: (size) =>
      rect([0, 0, size[0], size[1]], down('#d3dade', '#c2cbd0', '#aab7bf')) +
      faded(0.25, blurred(10, hills(size, { base: 430, rise: 60, turn: 2, fill: '#7f919b' }))) +
      faded(0.4, blurred(5, dory([820, 560, 0.7, 0], ['#55707c', '#dfe6e8']))) +
      times(6, (index) =>
        faded(
          0.3 + index * 0.12,
          rect([90 + index * 60, 420 + index * 40, 26 + index * 6, 500], '#5f6d74', 6),
        ),
      ) +
      faded(0.75, shape('M60 440 L120 440 L560 900 L120 900 Z', '#76858c')) +
      times(7, (index) =>
        faded(
          0.5,
          line(`M${74 + index * 24} ${470 + index * 62} H${170 + index * 54}`, '#8c9aa1', 8),
        ),
      ) +
      moved(
        [470, 700, 0.6],
        oval([0, -60, 54, 20], '#ffffff'),
        shape('M-20 -70 Q0 -130 40 -120 L30 -60 Z', '#f4f6f6'),
        line('M36 -114 L62 -108', '#e8a23a', 8),
      ) +
      [500, 610, 730]
        .map((y, index) =>
          faded(0.35, blurred(22, rect([-60, y, 1320, 50 + index * 12], '#eef2f3', 40))),
        )
        .join(''),
  },
  {
    name: 'green-dory',
    topics: ['boat', 'harbor', 'beach', 'tide'],
    size: wide,
    draw: (size) =>
      sky('gold', size) +
      cloud([860, 150, 0.9]) +
      hills(size, { base: 380, rise: 70, turn: 4, fill: '#8a8f78' }) +
      water(size, { from: 400, colours: ['#e2c79a', '#7d9aa0'], glint: '#fff6dc', seed: 6 }) +
      shape('M0 560 Q340 510 700 560 T1200 540 L1200 900 L0 900 Z', down('#b8a488', '#8f7c66')) +
      times(30, (index) =>
        oval(
          [(index * 137) % 1200, 610 + ((index * 71) % 270), 14 + (index % 3) * 8, 7],
          '#7a6a58',
        ),
      ) +
      shadow([600, 762, 330, 26]) +
      dory([600, 760, 1.15, -5], ['#2f7f5f', '#f2e6cc']) +
      line('M290 640 Q180 720 90 690', '#e8d9b8', 8) +
      shape('M60 690 l30 -60 l26 66 Z', '#5a4a3c'),
  },
]
