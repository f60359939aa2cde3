import { candle, mug, pane, room, table, woods } from '../indoors.ts'
import { square, wide } from '../scene.ts'
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
import { boards, leaf, plate, pot, tomato } from './food.ts'

/** What a cook shows of a week beside the dishes of others. */
export const cookingScenes: readonly Scene[] = [
  {
    name: 'stew-bowl',
    topics: ['dinner'],
    size: square,
    draw: (size) =>
      boards(size, woods.birch) +
      plate([500, 500, 400], '#3f6b7a') +
      oval([500, 500, 270], '#8c4a22') +
      oval([500, 500, 256], '#c4702f') +
      times(16, (index) =>
        oval(
          [330 + ((index * 97) % 340), 340 + ((index * 61) % 320), 24 + (index % 3) * 5],
          index % 3 === 0 ? '#e9c98a' : '#e0a24a',
        ),
      ) +
      [
        [430, 430, 20],
        [580, 540, 140],
        [480, 610, 260],
      ]
        .map(([x = 0, y = 0, angle = 0]) => leaf([x, y, 1, angle], '#4f9a4a'))
        .join('') +
      moved(
        [880, 500, 1, 8],
        rect([-10, -60, 20, 330], '#d7dbe0', 10),
        oval([0, -120, 46, 70], '#d7dbe0'),
      ),
  },
  {
    name: 'oven-tray',
    topics: ['dinner'],
    size: wide,
    draw: (size) =>
      boards(size, woods.slate) +
      rect([120, 130, 960, 640], '#1f2226', 30) +
      rect([150, 160, 900, 580], '#33383f', 20) +
      times(28, (index) =>
        moved(
          [210 + (index % 7) * 130, 230 + Math.floor(index / 7) * 145, 1, (index * 47) % 180],
          [
            oval([0, 0, 50, 32], '#e08a3c'),
            rect([-44, -22, 88, 44], '#b8402f', 14),
            oval([0, 0, 42], '#8f5a8c') + oval([0, 0, 26], '#c9a0c4'),
            oval([0, 0, 54, 24], '#7a9c4a'),
          ][index % 4] ?? '',
        ),
      ) +
      times(9, (index) =>
        leaf(
          [230 + ((index * 197) % 760), 240 + ((index * 131) % 440), 0.6, index * 53],
          '#4f7a3a',
        ),
      ),
  },
  {
    name: 'long-table',
    topics: ['dinner'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#f0dcc0', '#dfc19a'], floor: ['#a97a4c', '#855c36'], from: 520 }) +
      pane([470, 70, 260, 260], 'gold') +
      shape('M180 480 L1020 480 L1180 900 L20 900 Z', '#fdf8f0') +
      shape('M180 480 L1020 480 L1026 500 L174 500 Z', '#e6d8c4') +
      [0, 1, 2]
        .map((row) =>
          [-1, 1]
            .map((side) =>
              moved(
                [600 + side * (260 + row * 56), 560 + row * 115],
                oval([0, 0, 84 + row * 10, 34 + row * 5], '#ffffff'),
                oval(
                  [0, 0, 56 + row * 6, 22 + row * 3],
                  ['#c4702f', '#7a9c4a', '#e0a24a'][row] ?? '',
                ),
              ),
            )
            .join(''),
        )
        .join('') +
      moved([600, 640, 0.62], pot([0, 0, 1], '#2f6f6b')) +
      candle([440, 560, 0.8]) +
      candle([760, 560, 0.8]) +
      moved(
        [600, 830],
        oval([0, 0, 120, 46], '#d9a56c'),
        times(4, (index) => oval([-66 + index * 44, -16, 34, 26], '#c98a4a')),
      ),
  },
  {
    name: 'pasta-nests',
    topics: ['pasta'],
    size: wide,
    draw: (size) =>
      boards(size, woods.oak) +
      blurred(18, faded(0.5, oval([620, 460, 520, 330], '#fdf8ee'))) +
      times(8, (index) =>
        moved(
          [270 + (index % 4) * 220, 320 + Math.floor(index / 4) * 270],
          oval([6, 14, 96, 72], '#00000030'),
          times(
            6,
            (ring) =>
              `<ellipse cx="${(ring % 2) * 8 - 4}" cy="${(ring % 3) * 6 - 6}" rx="${92 - ring * 14}" ry="${68 - ring * 10}" fill="none" stroke="${ring % 2 === 0 ? '#f2d48a' : '#e2bd64'}" stroke-width="13"/>`,
          ),
        ),
      ) +
      moved(
        [1060, 690, 1, 24],
        rect([-40, -330, 80, 470], '#c98a4a', 40),
        rect([-16, -400, 32, 90], '#a86a34', 14),
        rect([-16, 130, 32, 90], '#a86a34', 14),
      ),
  },
  {
    name: 'pasta-pot',
    topics: ['pasta'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#dfe9e4', '#c8d8d0'], floor: ['#5f7f7a', '#4a6864'], from: 700 }) +
      times(5, (row) =>
        times(13, (column) =>
          rect([column * 94 + (row % 2) * 47 - 40, 60 + row * 56, 90, 52], '#ffffff60', 3),
        ),
      ) +
      rect([0, 690, 1200, 40], '#22252b') +
      moved([600, 690], pot([0, 0, 1.9], '#c9ccd0', 0.2)) +
      times(14, (index) =>
        line(
          `M${430 + index * 26} 370 L${380 + index * 34} ${180 + (index % 3) * 26}`,
          '#f2d48a',
          9,
        ),
      ) +
      moved(
        [1020, 690],
        rect([-80, -330, 160, 330], '#f4ead8', 12),
        rect([-60, -250, 120, 130], '#3f6b9c', 6),
        rect([-80, -350, 160, 30], '#c73a3a', 8),
      ),
  },
  {
    name: 'bread-dough',
    topics: ['bread'],
    size: square,
    draw: (size) =>
      boards(size, woods.birch) +
      blurred(26, faded(0.6, oval([500, 520, 440, 380], '#fdfaf4'))) +
      oval([516, 540, 290, 260], '#00000020') +
      oval([500, 510, 290, 262], '#f2e4c6') +
      oval([450, 440, 160, 120], '#fbf2de') +
      line('M330 520 Q500 420 670 520', '#e0cda6', 12) +
      line('M400 620 Q500 570 600 620', '#e0cda6', 10) +
      moved([860, 210], oval([0, 0, 110], '#e9dcc6'), oval([0, 0, 88], '#fdfaf4')) +
      moved(
        [140, 860, 1, 40],
        rect([-16, -160, 32, 260], '#8b5a3a', 12),
        rect([-80, -220, 160, 80], '#c3c9cf', 10),
      ),
  },
  {
    name: 'bread-slices',
    topics: ['bread', 'breakfast'],
    size: wide,
    draw: (size) =>
      table(size, { from: 0, wood: woods.white }) +
      moved(
        [560, 470],
        shadow([0, 200, 470, 40]),
        rect([-470, -230, 940, 440], '#b97f48', 40),
        rect([-450, -214, 900, 400], '#cf9a60', 34),
      ) +
      [0, 1, 2]
        .map((index) =>
          moved(
            [300 + index * 190, 480, 1, index * 5 - 6],
            shape('M-120 130 L-120 -60 Q-140 -170 0 -170 Q140 -170 120 -60 L120 130 Z', '#8c4a20'),
            shape('M-104 116 L-104 -56 Q-120 -150 0 -150 Q120 -150 104 -56 L104 116 Z', '#f3dcb0'),
            times(14, (hole) =>
              oval(
                [-80 + ((hole * 53) % 160), -110 + ((hole * 71) % 210), 5 + (hole % 3) * 4],
                '#dcc08c',
              ),
            ),
          ),
        )
        .join('') +
      moved([1010, 250], oval([0, 0, 92], '#ffffff'), oval([0, 0, 70], '#f2d23f')) +
      moved([1040, 720], mug([0, 0, 1], '#4f8f9c')),
  },
  {
    name: 'lemon-cake',
    topics: ['cake'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#e6efe4', '#cfe0cc'], floor: ['#fdf8f0', '#efe4d2'], from: 480 }) +
      table(size, { from: 520, wood: woods.birch }) +
      moved(
        [560, 700],
        shadow([0, 20, 380, 30]),
        oval([0, 0, 400, 50], '#ffffff'),
        shape('M-300 -10 L-280 -190 Q0 -270 280 -190 L300 -10 Z', '#d9953f'),
        shape(
          'M-284 -170 Q0 -280 284 -170 Q270 -90 230 -130 Q190 -60 140 -130 Q90 -70 40 -130 Q-20 -60 -70 -130 Q-120 -60 -170 -120 Q-220 -70 -284 -170 Z',
          '#fffdf4',
        ),
        times(12, (index) => oval([-220 + index * 40, -190 - (index % 3) * 12, 8, 5], '#f2d23f')),
      ) +
      moved([1010, 720], oval([0, -50, 80, 64], '#f2d23f'), oval([-26, -70, 20, 12], '#fbe88a')) +
      moved([150, 730], oval([0, -44, 70, 60], '#f2d23f'), oval([0, -44, 54, 46], '#fbf2b8')),
  },
  {
    name: 'market-bag',
    topics: ['market'],
    size: square,
    draw: (size) =>
      room(size, { wall: ['#d9e2d6', '#c2d0be'], floor: ['#b97f48', '#93602f'], from: 640 }) +
      moved(
        [480, 850],
        shadow([0, 10, 290, 30]),
        [-150, -60, 40]
          .map((x, index) =>
            moved(
              [x, -430, 1, -16 + index * 14],
              times(5, (blade) =>
                moved(
                  [0, 0, 1, -24 + blade * 12],
                  shape(
                    'M-20 0 Q-30 -190 0 -260 Q30 -190 20 0 Z',
                    blade % 2 === 0 ? '#3f8f5b' : '#62b578',
                  ),
                ),
              ),
            ),
          )
          .join(''),
        [-190, -130].map((x) => line(`M${x} -400 L${x - 40} -600`, '#e0a25a', 40)).join(''),
        tomato([120, -440, 74]),
        tomato([210, -410, 64]),
        oval([0, -420, 70, 50], '#8a4a9c'),
        shape('M-270 -400 L270 -400 L230 0 L-230 0 Z', '#e6d3ac'),
        shape('M-270 -400 L270 -400 L266 -360 L-266 -360 Z', '#d3bd90'),
        line('M-150 -390 Q-150 -200 -60 -200 T40 -390', '#b99a66', 20),
      ) +
      moved([860, 850], tomato([0, -60, 60])),
  },
  {
    name: 'market-hall',
    topics: ['market'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#e9f0f2', '#cfdde2')) +
      times(7, (index) =>
        line(`M${index * 200} 0 Q${index * 200 + 100} 200 ${index * 200 + 200} 0`, '#8fa3ad', 10),
      ) +
      rect([0, 640, 1200, 260], down('#b8ae9e', '#998e7c')) +
      oval([600, 200, 420], glow('#fff8dcaa', '#fff8dc00')) +
      [
        [60, '#c73a3a'],
        [440, '#2f6f8c'],
        [820, '#e9a03a'],
      ]
        .map(([x = 0, colour = '']) =>
          moved(
            [Number(x), 300],
            times(6, (stripe) =>
              shape(
                `M${stripe * 54} 0 h54 v70 q-27 30 -54 0 Z`,
                stripe % 2 === 0 ? String(colour) : '#fdf6e6',
              ),
            ),
            rect([0, 240, 324, 150], '#8a5d34', 6),
            times(
              3,
              (crate) =>
                rect([12 + crate * 104, 190, 92, 60], '#b98550', 4) +
                times(5, (fruit) =>
                  oval(
                    [26 + crate * 104 + fruit * 16, 190, 18],
                    ['#7a9c4a', '#e2483a', '#f2d23f'][(crate + Number(x) / 20) % 3] ?? '#7a9c4a',
                  ),
                ),
            ),
          ),
        )
        .join(''),
  },
]
