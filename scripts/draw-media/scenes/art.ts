import { beam, mug, pane, pottedPlant, room, table, woods } from '../indoors.ts'
import { tall, wide } from '../scene.ts'
import type { Scene } from '../scene.ts'
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

/** A painted landscape, 300 by 360, from the point downwards. */
function canvas([x, y, scale]: readonly [number, number, number]): string {
  return moved(
    [x, y, scale],
    rect([0, 0, 300, 360], '#fdf8ee', 3),
    rect([14, 14, 272, 332], down('#f7c59f', '#f2a6a0')),
    oval([196, 110, 40], '#fff1c9'),
    shape('M14 220 Q90 140 170 210 T286 190 L286 346 L14 346 Z', '#7a6ba8'),
    shape('M14 270 Q110 200 200 266 T286 256 L286 346 L14 346 Z', '#4f5a94'),
    shape('M14 310 Q140 270 286 316 L286 346 L14 346 Z', '#2f4470'),
  )
}

function brush(
  [x, y, scale, angle]: readonly [number, number, number, number],
  colour: string,
): string {
  return moved(
    [x, y, scale, angle],
    rect([-7, -220, 14, 220], '#c98a4a', 7),
    rect([-10, -262, 20, 44], '#c3c9cf', 3),
    shape('M-12 -262 Q-16 -310 0 -336 Q16 -310 12 -262 Z', colour),
  )
}

function camera([x, y, scale]: readonly [number, number, number]): string {
  return moved(
    [x, y, scale],
    rect([-150, -110, 300, 200], '#2a2832', 22),
    rect([-60, -144, 120, 44], '#2a2832', 12),
    rect([-150, -60, 300, 96], '#4a4550'),
    rect([84, -98, 46, 24], '#e2603c', 6),
    oval([0, -8, 88], '#1a181f'),
    oval([0, -8, 74], '#3a3846'),
    oval([0, -8, 52], down('#5a7fb0', '#1c2748')),
    oval([-16, -26, 15], '#ffffffb0'),
  )
}

export const artScenes: readonly Scene[] = [
  {
    name: 'easel-studio',
    topics: ['art', 'painting', 'morning', 'paint', 'easel', 'atelier'],
    size: tall,
    draw: (size) =>
      room(size, { wall: ['#ece5da', '#ddd2c2'], floor: ['#a97a4c', '#8a5f38'], from: 930 }) +
      pane([80, 110, 300, 430], 'day') +
      beam('M80 110 L380 110 L860 1100 L380 1100 Z') +
      moved(
        [560, 1080],
        shadow([0, 10, 240, 20]),
        line('M0 -760 L-190 0 M0 -760 L190 0 M0 -700 L40 -40', '#8b5a3a', 20),
        canvas([-205, -680, 1.36]),
        rect([-230, -194, 460, 26], '#9b6844', 6),
      ) +
      moved(
        [190, 1090],
        rect([-110, -240, 220, 22], '#7a5236', 6),
        line('M-86 -220 L-100 0 M86 -220 L100 0', '#7a5236', 16),
        rect([-50, -350, 90, 110], '#7fb7be', 10),
        brush([-26, -320, 0.7, -14], '#e2603c'),
        brush([0, -320, 0.8, 2], '#3f6b7a'),
        brush([22, -320, 0.7, 16], '#e9b44c'),
      ),
  },
  {
    name: 'paint-palette',
    topics: ['art', 'painting', 'colours', 'paint', 'palette', 'easel'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#f4ede2', '#e6dccb')) +
      moved(
        [560, 470],
        blurred(
          14,
          faded(
            0.3,
            shape(
              'M-390 40 C-400 -180 -120 -290 130 -260 C360 -230 440 -60 390 70 C350 160 250 90 180 130 C110 ' +
                '180 170 270 40 290 C-190 310 -380 220 -390 40 Z',
              '#3a2418',
            ),
          ),
        ),
        shape(
          'M-400 20 C-410 -200 -130 -310 120 -280 C350 -250 430 -80 380 50 C340 140 240 70 170 110 C100 ' +
            '160 160 250 30 270 C-200 290 -390 200 -400 20 Z',
          '#c98f56',
        ),
        oval([80, 190, 46, 34], '#e9dfd0'),
        ...[
          [-290, -40, '#e2483a'],
          [-200, -150, '#f2a23a'],
          [-70, -200, '#f2d23f'],
          [80, -196, '#6fb55a'],
          [210, -150, '#3f8fc0'],
          [290, -50, '#6a4fa0'],
          [-270, 90, '#f4a6b8'],
          [-150, 170, '#ffffff'],
        ].map(([px, py, colour]) =>
          moved(
            [Number(px), Number(py)],
            shape(
              'M-56 4 Q-60 -50 -6 -50 Q60 -54 58 0 Q64 46 8 48 Q-50 54 -56 4 Z',
              String(colour),
            ),
            oval([-16, -20, 15, 9], '#ffffff66'),
          ),
        ),
      ) +
      brush([920, 830, 1.7, 24], '#e2483a') +
      brush([1060, 840, 1.6, 12], '#3f8fc0') +
      [0, 1, 2]
        .map((index) =>
          moved(
            [110 + index * 60, 800, 1, -20 + index * 18],
            rect([-22, -110, 44, 110], ['#e2483a', '#3f8fc0', '#f2d23f'][index] ?? '', 5),
            rect([-22, -110, 44, 20], '#e9edf0'),
            rect([-10, -136, 20, 26], '#2a2832', 3),
          ),
        )
        .join(''),
  },
  {
    name: 'sketchbook',
    topics: ['drawing', 'art', 'cafe', 'practice', 'notebook', 'paper', 'portrait', 'sketchbook'],
    size: wide,
    draw: () =>
      table([1200, 900], { from: 0, wood: woods.birch }) +
      moved(
        [600, 460, 1, -5],
        shadow([0, 240, 400, 60]),
        rect([-400, -280, 400, 540], '#fdfaf2', 6),
        rect([0, -280, 400, 540], '#f8f3e6', 6),
        times(14, (index) => oval([0, -260 + index * 40, 7], '#8a8f96')),
        moved(
          [-200, 20],
          line(
            'M-60 150 Q-70 60 -40 20 Q-120 -30 -80 -110 Q-40 -190 40 -170 Q110 -150 96 -70 Q90 -20 50 20 Q80 70 74 150',
            '#4a4550',
            5,
          ),
          line(
            'M-70 -100 Q-10 -150 90 -90 M-30 -60 q14 -8 28 0 M34 -60 q14 -8 26 0 M14 -50 L8 -20 L20 -18 M-10 6 Q14 18 40 2',
            '#4a4550',
            4,
          ),
        ),
        moved(
          [200, 10],
          line(
            'M-120 120 L-120 -60 L0 -150 L120 -60 L120 120 Z M-120 -60 H120 M-30 120 V20 H30 V120 M60 -10 h40 v40 h-40 Z',
            '#4a4550',
            5,
          ),
        ),
      ) +
      moved(
        [1050, 330, 1, 28],
        rect([-10, -210, 20, 380], '#e9b44c', 4),
        shape('M-10 170 L10 170 L0 210 Z', '#2a2832'),
        rect([-10, -230, 20, 26], '#f4a6b8', 6),
      ) +
      mug([140, 280, 1.1], '#3f6b7a'),
  },
  {
    name: 'camera-tripod',
    topics: ['photography', 'work', 'camera', 'darkroom'],
    size: tall,
    draw: (size) =>
      rect([0, 0, ...size], down('#c9d6db', '#b2c3ca')) +
      rect([0, 960, 900, 240], down('#dfe7ea', '#c3cfd4')) +
      moved(
        [700, 1010],
        line('M0 -560 V0 M-80 0 H80', '#2a2832', 14),
        moved(
          [0, -660, 1, -16],
          shape('M-150 -130 L150 -130 L110 110 L-110 110 Z', '#2a2832'),
          rect([-128, -112, 256, 200], '#fffbe8', 6),
        ),
        oval([-100, -620, 400], glow('#fffbe0a0', '#fffbe000')),
      ) +
      moved(
        [370, 1080],
        shadow([0, 0, 230, 18]),
        line('M0 -430 L-210 0 M0 -430 L210 0 M0 -430 L20 -10', '#2a2832', 20),
        rect([-26, -480, 52, 70], '#3a3740', 8),
        camera([0, -580, 1.25]),
      ) +
      pottedPlant([110, 1000, 0.9]),
  },
  {
    name: 'pottery-wheel',
    topics: ['art', 'pottery', 'crafts', 'clay', 'wheel', 'atelier'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#e6d2c0', '#d3b49c'], floor: ['#9b7a64', '#7a5c48'], from: 640 }) +
      rect([620, 150, 500, 20], '#7a5236', 4) +
      rect([620, 330, 500, 20], '#7a5236', 4) +
      [660, 770, 880, 1000]
        .map(
          (x, index) =>
            moved(
              [x, 150],
              shape(
                'M-34 0 Q-60 -60 -20 -100 L20 -100 Q60 -60 34 0 Z',
                ['#4f8f9c', '#e9dfd0', '#c96f4a', '#2f4858'][index] ?? '',
              ),
            ) +
            moved(
              [x + 20, 330],
              shape(
                'M-44 0 Q-50 -60 -44 -70 L44 -70 Q50 -60 44 0 Z',
                ['#e9dfd0', '#c96f4a', '#7fa08a', '#e0b04f'][index] ?? '',
              ),
            ),
        )
        .join('') +
      moved(
        [420, 800],
        shadow([0, 10, 320, 26]),
        rect([-260, -130, 520, 130], '#5c6b73', 20),
        rect([-300, -160, 600, 46], '#73848d', 14),
        oval([0, -160, 210, 30], '#8fa0a8'),
        oval([0, -168, 150, 20], '#6b5a4c'),
        shape(
          'M-90 -170 Q-150 -300 -70 -370 Q-56 -390 -66 -430 L66 -430 Q56 -390 70 -370 Q150 -300 90 -170 Z',
          '#b5734c',
        ),
        shape(
          'M30 -170 Q110 -300 50 -370 Q40 -390 50 -430 L66 -430 Q56 -390 70 -370 Q150 -300 90 -170 Z',
          '#00000018',
        ),
        oval([0, -430, 66, 15], '#7d4a2c'),
        ...[0, 1, 2, 3].map((row) =>
          line(
            `M${-104 + row * 6} ${-220 - row * 34} Q0 ${-200 - row * 34} ${104 - row * 6} ${-220 - row * 34}`,
            '#9a5f3c',
            4,
          ),
        ),
      ) +
      moved(
        [870, 790],
        shadow([0, 0, 110, 14]),
        shape('M-90 -130 L90 -130 L74 0 L-74 0 Z', '#7fb7be'),
        oval([0, -130, 90, 20], '#5a98a0'),
        line('M-80 -140 Q0 -240 80 -140', '#5c6b73', 8),
      ),
  },
]
