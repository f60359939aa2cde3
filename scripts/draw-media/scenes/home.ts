import { beam, candle, framed, mug, pane, pottedPlant, room, table, woods } from '../indoors.ts'
import { sky, sun } from '../outdoors.ts'
import { tall, wide } from '../scene.ts'
import type { Scene } from '../scene.ts'
import {
  blurred,
  createChance,
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

function book(
  [x, y, width, height]: readonly [number, number, number, number],
  colour: string,
  angle = 0,
): string {
  return moved(
    [x, y, 1, angle],
    rect([0, -height, width, height], colour, 4),
    rect([0, -height + 22, width, 7], '#ffffff55'),
    rect([0, -34, width, 7], '#ffffff55'),
  )
}

function shelf([x, y, width]: readonly [number, number, number], seed: number): string {
  const chance = createChance(seed)
  const colours = [
    '#c95d4a',
    '#3f6b7a',
    '#e0b04f',
    '#7a5a86',
    '#4f8f6a',
    '#f0e4d0',
    '#2f4858',
    '#d98d7a',
  ]
  let left = x + 12
  let books = ''
  while (left < x + width - 70) {
    const thickness = 24 + Math.round(chance() * 24)
    books += book(
      [left, y, thickness, 110 + Math.round(chance() * 60)],
      colours[Math.floor(chance() * colours.length)] ?? '',
      chance() < 0.1 ? -5 : 0,
    )
    left += thickness + 2
    if (chance() < 0.1) left += 50
  }
  return books + rect([x, y, width, 18], '#7a5236') + rect([x, y + 18, width, 8], '#00000022')
}

/** A monstera in a pot that stands at the point. */
function monstera([x, y, scale]: readonly [number, number, number]): string {
  const leafShape =
    'M0 0 C-70 -20 -96 -90 -60 -150 C-40 -176 -14 -180 0 -196 C14 -180 40 -176 60 -150 C96 -90 70 -20 0 0 Z'
  const cut = (side: number) =>
    [-40, -78, -116].map((top) =>
      shape(
        `M${side * 88} ${top - 14} Q${side * 40} ${top} ${side * 22} ${top + 8} Q${side * 44} ${top + 14} ${side * 90} ${top + 4} Z`,
        '#f3efe6',
      ),
    )
  const one = (px: number, py: number, s: number, angle: number, colour: string) =>
    line(`M0 -110 Q${px * 0.4} ${py * 0.7} ${px} ${py}`, '#3c6b45', 9) +
    moved(
      [px, py, s, angle],
      shape(leafShape, colour),
      ...cut(1),
      ...cut(-1),
      line('M0 0 V-170', '#00000024', 5),
    )
  return moved(
    [x, y, scale],
    shadow([0, 0, 100, 16]),
    one(-150, -290, 0.95, -50, '#2f7d52'),
    one(150, -310, 1, 46, '#358a5a'),
    one(-70, -400, 1.05, -16, '#45a06a'),
    one(80, -440, 0.9, 20, '#2f7d52'),
    one(10, -250, 0.9, 8, '#57b27a'),
    shape('M-84 -120 L84 -120 L64 0 L-64 0 Z', '#e8ded0'),
    shape('M30 -120 L84 -120 L64 0 L36 0 Z', '#00000014'),
    rect([-92, -136, 184, 28], '#f2eadf', 6),
  )
}

function cactus([x, y, scale]: readonly [number, number, number], kind: number): string {
  const pots = ['#d2734d', '#4f8f9c', '#e9b44c', '#b76a86']
  const plants = [
    rect([-34, -200, 68, 150], '#4f9a5a', 34) +
      times(3, (index) => line(`M${-16 + index * 16} -190 V-60`, '#3b7d48', 4)) +
      oval([0, -202, 13], '#f2789a'),
    oval([0, -106, 74, 64], '#5aa86a') +
      times(5, (index) => line(`M0 -168 Q${-60 + index * 30} -110 0 -48`, '#3f8550', 4)) +
      oval([-10, -168, 14, 11], '#ffd23f'),
    times(9, (index) =>
      moved(
        [0, -54, 1, -80 + index * 20],
        shape('M-14 0 Q-18 -90 0 -150 Q18 -90 14 0 Z', index % 2 === 0 ? '#6fb58a' : '#4f9a70'),
      ),
    ),
    oval([0, -92, 42, 50], '#58a05f') +
      oval([-34, -150, 30, 38], '#6cb572') +
      oval([32, -160, 28, 36], '#4d9455') +
      oval([-52, -190, 8], '#f2789a'),
  ]
  return moved(
    [x, y, scale],
    shadow([0, 0, 60, 10]),
    plants[kind % 4] ?? '',
    shape('M-58 -66 L58 -66 L44 0 L-44 0 Z', pots[kind % 4] ?? ''),
    rect([-64, -78, 128, 22], pots[kind % 4] ?? '', 5),
    rect([-64, -60, 128, 5], '#00000022'),
  )
}

function tulip(
  [x, y, height]: readonly [number, number, number],
  colour: string,
  lean: number,
): string {
  return (
    line(`M${x} ${y} q${lean * 0.2} ${-height * 0.6} ${lean} ${-height}`, '#4f9150', 9) +
    moved(
      [x + lean, y - height, 1, lean * 0.3],
      shape(
        'M0 20 C-50 10 -44 -60 -34 -84 L-14 -54 L0 -92 L14 -54 L34 -84 C44 -60 50 10 0 20 Z',
        colour,
      ),
      shape('M0 20 C-24 0 -18 -50 0 -92 C18 -50 24 0 0 20 Z', '#00000014'),
    ) +
    moved([x, y, 1, lean * 0.6], shape('M0 0 Q-40 -80 -14 -170 Q14 -90 0 0 Z', '#62a75f'))
  )
}

/** Rain drops that run down a window; `time` goes from 0 to 1 and begins again. */
export function rainyWindow(size: readonly [number, number], time = 0): string {
  const chance = createChance(17)
  const [width, height] = size
  const lights = times(34, () =>
    faded(
      0.55,
      oval(
        [chance() * width, height * 0.45 + chance() * height * 0.4, 16 + chance() * 34],
        ['#ffcf7a', '#ff9d6b', '#9ad0ff', '#ffe9b8'][Math.floor(chance() * 4)] ?? '',
      ),
    ),
  )
  const drops = times(60, (index) => {
    const speed = 1 + (index % 2)
    const y = ((chance() + time * speed) % 1) * height
    const x = chance() * width
    return (
      faded(
        0.5,
        line(
          `M${x.toFixed(0)} ${(y - 40 - chance() * 50).toFixed(0)} L${x.toFixed(0)} ${y.toFixed(0)}`,
          '#cfe3f0',
          3,
        ),
      ) + oval([x, y, 5 + chance() * 4, 8 + chance() * 5], '#e8f4fb')
    )
  })
  return (
    rect([0, 0, width, height], down('#1c2740', '#2f3d5c', '#4a4a62')) +
    blurred(8, lights) +
    drops +
    rect([0, 0, width, 26], '#3a2a24') +
    rect([0, 0, 26, height], '#3a2a24') +
    rect([width - 26, 0, 26, height], '#3a2a24') +
    rect([width / 2 - 9, 0, 18, height], '#3a2a24') +
    rect([0, height - 90, width, 90], down('#5a4034', '#432e25')) +
    mug([width * 0.24, height - 50, 1.5], '#d9734f') +
    candle([width * 0.74, height - 46, 1.1])
  )
}

export const homeScenes: readonly Scene[] = [
  {
    name: 'monstera-corner',
    topics: ['plants', 'home', 'garden', 'morning', 'plant', 'leaf', 'pots'],
    size: tall,
    draw: (size) =>
      room(size, { wall: ['#f3efe6', '#eae2d4'], floor: ['#c99a67', '#a97a4c'], from: 940 }) +
      beam('M0 160 L900 560 L900 960 L0 520 Z') +
      framed(
        [90, 140, 190, 240],
        moved(
          [185, 380],
          shape('M-95 0 L-95 -60 Q-30 -140 20 -70 T95 -90 L95 0 Z', '#d98d7a'),
          oval([20, -160, 36], '#e9b44c'),
        ),
      ) +
      monstera([500, 1060, 1.65]) +
      moved(
        [190, 1080],
        shadow([0, 0, 110, 14]),
        shape('M-70 -150 L70 -150 L84 0 L-84 0 Z', '#7f9aa5'),
        line('M80 -110 L190 -210', '#7f9aa5', 20),
        oval([196, -216, 34, 22], '#66818c'),
        line('M-70 -140 Q-160 -150 -150 -70 Q-140 -20 -76 -30', '#66818c', 14),
      ),
  },
  {
    name: 'cactus-shelf',
    topics: ['plants', 'home', 'garden', 'desk', 'plant', 'pots', 'shelf'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#e9c7b2', '#dcae96')) +
      beam('M300 0 L760 0 L1200 620 L1200 900 L900 900 Z') +
      rect([80, 420, 1040, 24], '#7a5236') +
      rect([80, 444, 1040, 10], '#00000020') +
      rect([80, 800, 1040, 24], '#7a5236') +
      rect([80, 824, 1040, 10], '#00000020') +
      [0, 1, 2, 3]
        .map((index) => cactus([220 + index * 250, 420, 1.15 + (index % 2) * 0.2], index))
        .join('') +
      [0, 1, 2].map((index) => cactus([300 + index * 230, 800, 1.1], index + 2)).join('') +
      pottedPlant([950, 800, 1.15], { pot: '#f2eadf' }),
  },
  {
    name: 'balcony-garden',
    topics: [
      'garden',
      'plants',
      'balcony',
      'summer',
      'evening',
      'flower',
      'pots',
      'plant',
      'spring',
    ],
    size: wide,
    draw: (size) =>
      sky('gold', size) +
      sun([300, 330, 60], '#fff6d8') +
      times(12, (index) =>
        rect(
          [index * 104 - 10, 430 - ((index * 71) % 140), 98, 400],
          index % 2 === 0 ? '#c98f77' : '#b57b68',
        ),
      ) +
      rect([0, 560, 1200, 340], down('#b58a66', '#8f6848')) +
      times(25, (index) => rect([index * 50, 470, 10, 240], '#3d3a44')) +
      rect([0, 456, 1200, 18], '#2d2a34', 6) +
      [0, 1, 2]
        .map((index) =>
          moved(
            [60 + index * 390, 476],
            rect([0, 0, 320, 90], '#d2734d', 8),
            times(
              16,
              (flower) =>
                line(`M${14 + flower * 19} 4 v${-40 - ((flower * 37) % 50)}`, '#4f9150', 6) +
                oval(
                  [14 + flower * 19, -44 - ((flower * 37) % 50), 18],
                  ['#f25f5c', '#ffd23f', '#f7b4ca', '#ffffff'][(flower + index) % 4] ?? '',
                ),
            ),
          ),
        )
        .join('') +
      pottedPlant([180, 850, 1.5], { pot: '#4f8f9c' }) +
      moved(
        [890, 850],
        shadow([0, 0, 170, 18]),
        line('M-110 0 L-30 -150 M110 0 L30 -150', '#3d3a44', 10),
        oval([0, -154, 170, 30], '#f2eadf'),
        oval([0, -160, 160, 25], '#fffaf2'),
      ) +
      mug([850, 690, 0.8], '#e9b44c', false) +
      pottedPlant([940, 694, 0.5], { pot: '#d98d7a', leaf: '#4f9a4a', light: '#86bf6a' }),
  },
  {
    name: 'tulips-vase',
    topics: ['flowers', 'plants', 'spring', 'home', 'flower'],
    size: tall,
    draw: (size) =>
      room(size, { wall: ['#cfe3e6', '#b7d3d8'], floor: ['#efd9b6', '#dcbf93'], from: 880 }) +
      pane([480, 100, 330, 460], 'day') +
      table(size, { from: 880, wood: woods.white }) +
      [-150, -80, -20, 50, 120, 170]
        .map((lean, index) =>
          tulip(
            [430 + lean * 0.25, 760, 330 + ((index * 67) % 120)],
            ['#f25f5c', '#f7a23a', '#e8698f', '#ffd23f', '#f25f5c', '#c77dff'][index] ?? '',
            lean,
          ),
        )
        .join('') +
      moved(
        [430, 1030],
        shadow([10, 0, 150, 20]),
        shape(
          'M-90 -320 L90 -320 Q70 -250 116 -120 Q130 0 60 0 L-60 0 Q-130 0 -116 -120 Q-70 -250 -90 -320 Z',
          '#ffffffd8',
        ),
        shape(
          'M-104 -160 Q-116 -120 -112 -70 Q-100 -6 -60 -6 L60 -6 Q100 -6 112 -70 Q116 -120 104 -160 Z',
          '#9fd0dc90',
        ),
        shape('M-70 -300 Q-52 -220 -84 -120 L-64 -110 Q-40 -220 -52 -300 Z', '#ffffff'),
      ),
  },
  {
    name: 'herbs-sill',
    topics: ['plants', 'garden', 'kitchen', 'cooking', 'plant', 'pots', 'leaf', 'basics'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#dfe6dc', '#cdd8cb')) +
      pane([180, 70, 840, 540], 'grey') +
      rect([60, 640, 1080, 44], '#f7f1e6', 6) +
      rect([60, 684, 1080, 12], '#00000018') +
      [0, 1, 2, 3]
        .map((index) =>
          moved(
            [270 + index * 220, 640, 1.1],
            times(26, (leafIndex) =>
              moved(
                [
                  ((leafIndex * 37) % 110) - 55,
                  -100 - ((leafIndex * 53) % 120),
                  1,
                  (leafIndex * 71) % 360,
                ],
                oval(
                  [0, 0, index % 2 === 0 ? 22 : 30, index % 2 === 0 ? 12 : 7],
                  ['#4f9a4a', '#76b85a', '#3b7d3f'][leafIndex % 3] ?? '',
                ),
              ),
            ),
            shape('M-66 -100 L66 -100 L50 0 L-50 0 Z', '#c96f4a'),
            rect([-72, -112, 144, 24], '#d98059', 5),
            rect([-30, -70, 60, 36], '#fbf4e4', 4),
            line('M-18 -52 h36', '#7a5236', 4),
          ),
        )
        .join('') +
      table(size, { from: 760, wood: woods.oak }) +
      moved(
        [900, 840],
        shadow([0, 0, 100, 12]),
        line('M-90 -6 L40 -40 M-70 -44 L40 -14', '#c9ced4', 12),
        oval([70, -46, 34, 22], '#d94f3d'),
        oval([70, -10, 34, 22], '#d94f3d'),
      ),
  },
  {
    name: 'books-tea',
    topics: ['books', 'reading', 'home', 'evening', 'cosy', 'tea', 'sofa', 'restday'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#3d3548', '#5a4452')) +
      oval([860, 300, 520], glow('#ffcf8a77', '#ffcf8a00')) +
      table(size, { from: 600, wood: woods.walnut }) +
      moved(
        [900, 600],
        line('M0 0 V-260', '#2d2430', 14),
        rect([-90, -12, 180, 18], '#2d2430', 9),
        shape('M-150 -240 L-80 -420 L80 -420 L150 -240 Z', down('#ffe9b8', '#f7c46e')),
      ) +
      moved(
        [430, 700],
        shadow([0, 10, 280, 24]),
        rect([-240, -50, 470, 52], '#3f6b7a', 8),
        rect([-220, -42, 460, 36], '#f4ead6', 4),
        rect([-240, -50, 30, 52], '#2f525e', 8),
        rect([-200, -104, 430, 54], '#c95d4a', 8),
        rect([-180, -96, 418, 38], '#f4ead6', 4),
        rect([-200, -104, 30, 54], '#a84838', 8),
        rect([-220, -150, 400, 46], '#e0b04f', 8),
        rect([-204, -143, 390, 32], '#f4ead6', 4),
        rect([-220, -150, 28, 46], '#bf8f36', 8),
      ) +
      mug([400, 552, 1.25], '#7fa08a') +
      moved(
        [770, 790, 1, -6],
        shadow([0, 26, 240, 22]),
        shape('M0 0 Q-120 -50 -240 -6 L-240 46 Q-120 6 0 50 Z', '#fbf4e4'),
        shape('M0 0 Q120 -50 240 -6 L240 46 Q120 6 0 50 Z', '#f1e6d0'),
        ...[0, 1, 2].map((row) =>
          line(
            `M-210 ${6 + row * 10} Q-120 ${-26 + row * 10} -30 ${6 + row * 10}` +
              ` M30 ${6 + row * 10} Q120 ${-26 + row * 10} 210 ${6 + row * 10}`,
            '#b8a78c',
            4,
          ),
        ),
      ),
  },
  {
    name: 'bookshelf',
    topics: ['books', 'reading', 'home', 'coaching', 'shelf'],
    size: tall,
    draw: (size) =>
      rect([0, 0, ...size], down('#2f4858', '#27404e')) +
      [260, 500, 740, 980].map((y, index) => shelf([60, y, 780], index + 5)).join('') +
      pottedPlant([740, 260, 0.75], { pot: '#f2eadf' }) +
      moved(
        [160, 1180],
        shadow([0, 0, 80, 12]),
        rect([-70, -120, 300, 60], '#d98d7a', 30),
        rect([-60, -70, 280, 70], '#c67a68', 12),
      ) +
      moved(
        [720, 980],
        oval([0, -64, 60], '#7fb7be'),
        shape(
          'M-40 -90 Q-10 -60 -30 -30 Q-10 -20 10 -50 Q30 -40 40 -80 Q0 -120 -40 -90 Z',
          '#8fbf6a',
        ),
        line('M-40 -120 Q-84 -64 -40 -8', '#7a5236', 8),
        rect([-40, -6, 80, 8], '#7a5236', 3),
      ),
  },
  {
    name: 'rain-window',
    topics: ['rain', 'home', 'cosy', 'evening', 'city', 'tea'],
    size: wide,
    draw: (size) => rainyWindow(size),
  },
]
