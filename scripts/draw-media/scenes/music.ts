import { beam, candle, framed, pottedPlant, room, table, woods } from '../indoors.ts'
import { tall, wide } from '../scene.ts'
import type { Scene } from '../scene.ts'
import type { Size } from '../svg.ts'
import {
  blurred,
  down,
  faded,
  glow,
  line,
  moved,
  oval,
  rect,
  shadow,
  shape,
  times,
} from '../svg.ts'

/** An acoustic guitar that stands on the point. `swing` bends its strings, in units. */
export function guitar(
  [x, y, scale, angle = 0]: readonly [number, number, number, number?],
  colour: readonly [string, string] = ['#d98b3f', '#a85f24'],
  swing = 0,
): string {
  const body =
    'M0 0 C-150 0 -190 -130 -120 -220 C-90 -260 -130 -300 -108 -360 C-88 -410 -40 -420 0 -420 C40 ' +
    '-420 88 -410 108 -360 C130 -300 90 -260 120 -220 C190 -130 150 0 0 0 Z'
  const strings = times(6, (index) => {
    const left = -15 + index * 6
    const bend = swing * (index % 2 === 0 ? 1 : -1)
    return line(`M${left} -118 Q${left + bend} -440 ${left * 0.7} -800`, '#f4ead8', 1.8)
  })
  return moved(
    [x, y, scale, angle],
    moved([0, 0], shape(body, colour[1])),
    moved([0, -12, 0.93], shape(body, down(colour[0], '#e8a65a', colour[0]))),
    oval([0, -258, 56], colour[1]),
    oval([0, -258, 48], '#2a160c'),
    rect([-58, -128, 116, 20], '#4b2a1a', 6),
    rect([-22, -800, 44, 560], '#4b2a1a', 4),
    ...[0, 1, 2, 3, 4, 5, 6, 7].map((fret) => rect([-22, -420 - fret * 46, 44, 3], '#d8c9ac')),
    shape('M-28 -800 L28 -800 L36 -920 L-36 -920 Z', '#6b3f22'),
    ...[0, 1, 2].map(
      (row) =>
        oval([-42, -824 - row * 36, 10], '#d8d2c4') + oval([42, -824 - row * 36, 10], '#d8d2c4'),
    ),
    strings,
  )
}

/** A record player seen from above; `angle` turns the record. */
export function turntable([width, height]: Size, angle = 0): string {
  const [cx, cy] = [width * 0.42, height * 0.5]
  const r = height * 0.37
  return (
    rect([0, 0, width, height], down('#c98a5a', '#a86a40')) +
    blurred(
      16,
      faded(0.4, rect([width * 0.08, height * 0.1, width * 0.86, height * 0.84], '#2a1408', 20)),
    ) +
    rect([width * 0.07, height * 0.07, width * 0.86, height * 0.86], '#e9dfd0', 24) +
    oval([cx, cy, r * 1.06], '#c3b8a6') +
    oval([cx, cy, r], '#1c1a20') +
    times(
      7,
      (ring) =>
        `<circle cx="${cx}" cy="${cy}" r="${r * (0.48 + ring * 0.075)}" fill="none" stroke="#34313a" stroke-width="2"/>`,
    ) +
    moved(
      [cx, cy, 1, angle],
      faded(
        0.2,
        shape(
          `M0 0 L${r * 0.95} ${-r * 0.26} A${r} ${r} 0 0 1 ${r * 0.95} ${r * 0.26} Z`,
          '#ffffff',
        ),
        shape(
          `M0 0 L${-r * 0.95} ${-r * 0.26} A${r} ${r} 0 0 0 ${-r * 0.95} ${r * 0.26} Z`,
          '#ffffff',
        ),
      ),
      oval([0, 0, r * 0.38], '#e2603c'),
      shape(`M0 0 L${r * 0.38} 0 A${r * 0.38} ${r * 0.38} 0 0 1 0 ${r * 0.38} Z`, '#f4b04f'),
      rect([-r * 0.22, -r * 0.24, r * 0.44, r * 0.05], '#fff3dc', 3),
      rect([-r * 0.15, -r * 0.15, r * 0.3, r * 0.035], '#fff3dc', 3),
      oval([0, 0, r * 0.05], '#e9dfd0'),
    ) +
    moved(
      [width * 0.83, height * 0.2],
      oval([0, 0, 56], '#c3b8a6'),
      oval([0, 0, 36], '#8a8078'),
      line(`M0 0 L-20 ${height * 0.36} L-${width * 0.13} ${height * 0.46}`, '#d9dde2', 13),
      moved([-width * 0.13, height * 0.46, 1, 40], rect([-17, -10, 34, 56], '#3a3740', 6)),
    ) +
    oval([width * 0.82, height * 0.8, 34], '#3a3740') +
    rect([width * 0.815, height * 0.765, 6, 26], '#e9dfd0') +
    oval([width * 0.72, height * 0.83, 15], '#e2603c')
  )
}

export function pianoKeys(
  [x, y, width, height]: readonly [number, number, number, number],
  count: number,
  pressed = -1,
): string {
  const key = width / count
  const white = times(count, (index) =>
    rect(
      [x + index * key + 1.5, y + (index === pressed ? 8 : 0), key - 3, height],
      index === pressed ? '#e9e2d4' : '#fdfaf4',
      5,
    ),
  )
  const black = times(count - 1, (index) =>
    [0, 1, 3, 4, 5].includes(index % 7)
      ? rect([x + (index + 1) * key - key * 0.3, y, key * 0.6, height * 0.62], '#1f1c22', 4) +
        rect([x + (index + 1) * key - key * 0.2, y, key * 0.4, height * 0.56], '#38333c', 3)
      : '',
  )
  return white + black
}

/** A microphone on its stand; the stand ends at the point. */
export function microphone([x, y, scale]: readonly [number, number, number]): string {
  return moved(
    [x, y, scale],
    shadow([0, 0, 150, 16]),
    rect([-7, -420, 14, 420], '#2a2832'),
    oval([0, -4, 130, 20], '#2a2832'),
    rect([-84, -700, 168, 250], '#3a3740', 84),
    rect([-70, -686, 140, 160], '#a7adb5', 70),
    times(6, (row) => line(`M-64 ${-660 + row * 22} H64`, '#7d838c', 5)),
    rect([-84, -540, 168, 26], '#e2603c'),
    rect([-24, -450, 48, 50], '#2a2832', 8),
    line('M-130 -640 V-540 Q-130 -430 0 -420 Q130 -430 130 -540 V-640', '#2a2832', 12),
  )
}

export const musicScenes: readonly Scene[] = [
  {
    name: 'guitar-corner',
    topics: ['guitar', 'music', 'home', 'amplifier', 'recording'],
    size: tall,
    draw: (size) =>
      room(size, { wall: ['#e2c4a8', '#d3ab88'], floor: ['#8b5a3a', '#6b4029'], from: 920 }) +
      beam('M0 60 L900 420 L900 900 L0 480 Z') +
      framed(
        [110, 130, 180, 180],
        oval([200, 220, 66], '#1c1a20') + oval([200, 220, 24], '#e2603c'),
      ) +
      pottedPlant([160, 1040, 1.15], { pot: '#4f8f9c' }) +
      moved(
        [560, 1100],
        shadow([0, 0, 220, 22]),
        line('M-110 0 L0 -260 L110 0', '#2a2832', 16),
        guitar([0, -50, 0.98, 6]),
      ),
  },
  {
    name: 'guitar-stage',
    topics: ['guitar', 'music', 'concert', 'evening', 'singing', 'stage', 'gig'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#1a1030', '#3a1a4a', '#7a2a4e')) +
      faded(
        0.5,
        shape('M260 -20 L0 900 L460 900 Z', '#ff9d6b'),
        shape('M940 -20 L740 900 L1200 900 Z', '#7ab8ff'),
        shape('M600 -20 L430 900 L770 900 Z', '#ffe3a1'),
      ) +
      [260, 600, 940]
        .map((x) =>
          moved([x, 40], rect([-40, -50, 80, 70], '#0d0818', 10), oval([0, 20, 32, 10], '#fff6dc')),
        )
        .join('') +
      rect([0, 760, 1200, 140], down('#2a1838', '#150c20')) +
      guitar([770, 800, 0.72, 12], ['#c73a4e', '#7d1f30']) +
      moved([470, 800], microphone([0, 0, 0.8])) +
      [70, 1010]
        .map(
          (x) =>
            rect([x, 540, 150, 220], '#0d0818', 8) +
            oval([x + 75, 680, 52], '#2a2036') +
            oval([x + 75, 580, 26], '#2a2036'),
        )
        .join(''),
  },
  {
    name: 'piano-keys',
    topics: ['piano', 'music', 'practice', 'evening', 'notebook'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#2b1b17', '#4a2a20')) +
      oval([280, 180, 420], glow('#ffcf8a88', '#ffcf8a00')) +
      rect([0, 420, 1200, 90], '#1d100c') +
      rect([0, 500, 1200, 16], '#8c2f2f') +
      pianoKeys([-20, 516, 1240, 330], 17) +
      rect([0, 846, 1200, 54], '#1d100c') +
      moved(
        [690, 420],
        rect([-210, -300, 200, 270], '#fdf6e6', 4),
        rect([10, -300, 200, 270], '#f6ecd6', 4),
        ...[0, 1, 2, 3].map(
          (row) =>
            times(
              5,
              (staff) =>
                rect([-190, -270 + row * 62 + staff * 9, 160, 2], '#8a7a66') +
                rect([30, -270 + row * 62 + staff * 9, 160, 2], '#8a7a66'),
            ) +
            times(
              5,
              (note) =>
                oval([-170 + note * 32, -262 + row * 62 + ((note * 13) % 32), 8, 6], '#2a1a14') +
                rect([-164 + note * 32, -292 + row * 62 + ((note * 13) % 32), 3, 30], '#2a1a14'),
            ),
        ),
        rect([-240, -34, 480, 34], '#3a2018', 6),
      ) +
      candle([260, 420, 1.5]) +
      candle([1030, 420, 1.2]),
  },
  {
    name: 'vinyl-record',
    topics: ['vinyl', 'music', 'home', 'evening'],
    size: wide,
    draw: (size) => turntable(size, -20),
  },
  {
    name: 'studio-microphone',
    topics: ['singing', 'music', 'recording', 'podcast', 'microphone'],
    size: tall,
    draw: (size) =>
      rect([0, 0, ...size], down('#2a3350', '#1c2238')) +
      times(9, (row) =>
        times(7, (column) =>
          shape(
            `M${column * 130 - 10} ${row * 120} l60 -50 l60 50 l-60 50 Z`,
            (row + column) % 2 === 0 ? '#334066' : '#242c48',
          ),
        ),
      ) +
      oval([450, 520, 500], glow('#ff9d6b66', '#ff9d6b00')) +
      rect([0, 1040, 900, 160], down('#5a3826', '#3a2318')) +
      microphone([450, 1080, 1.25]) +
      `<circle cx="300" cy="360" r="130" fill="#00000055" stroke="#2a2832" stroke-width="12"/>` +
      line('M390 460 Q470 620 470 700', '#2a2832', 10),
  },
  {
    name: 'studio-desk',
    topics: ['recording', 'music', 'work', 'beats', 'microphone'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#1d1a3a', '#3a2a5c')) +
      rect([0, 60, 1200, 6], '#f25fa8') +
      blurred(20, faded(0.6, rect([0, 50, 1200, 26], '#f25fa8'))) +
      table(size, { from: 640, wood: woods.slate }) +
      [90, 930]
        .map(
          (x) =>
            rect([x, 330, 180, 310], '#14121f', 12) +
            oval([x + 90, 530, 66], '#2a2740') +
            oval([x + 90, 530, 38], '#4a4568') +
            oval([x + 90, 396, 34], '#2a2740'),
        )
        .join('') +
      rect([330, 210, 540, 340], '#0f0e18', 14) +
      rect([346, 226, 508, 308], '#1f1c33', 6) +
      [0, 1, 2, 3, 4, 5]
        .map(
          (row) =>
            rect([360, 240 + row * 48, 480, 40], '#2a2644', 4) +
            times(4, (clip) =>
              rect(
                [
                  366 + clip * 120 + ((row * 31) % 40),
                  246 + row * 48,
                  60 + ((clip * 37 + row * 13) % 50),
                  28,
                ],
                ['#f25fa8', '#5fd0f2', '#f2c95f', '#8ff25f', '#b58cff', '#ff8a5f'][row] ?? '',
                4,
              ),
            ),
        )
        .join('') +
      rect([570, 550, 60, 90], '#0f0e18') +
      moved(
        [600, 780],
        shadow([0, 40, 330, 20]),
        rect([-320, -70, 640, 120], '#14121f', 12),
        pianoKeys([-300, -24, 460, 64], 14),
        times(8, (pad) =>
          rect(
            [180 + (pad % 4) * 32, -20 + Math.floor(pad / 4) * 32, 26, 26],
            pad % 3 === 0 ? '#f25fa8' : '#4a4568',
            4,
          ),
        ),
        times(8, (knob) => oval([-280 + knob * 56, -48, 12], '#5fd0f2')),
      ) +
      moved(
        [1080, 800],
        `<path d="M-70 0 Q-70 -120 0 -120 Q70 -120 70 0" fill="none" stroke="#e9e2d4" stroke-width="16"/>`,
        rect([-92, -20, 40, 70], '#e2603c', 18),
        rect([52, -20, 40, 70], '#e2603c', 18),
      ),
  },
]
