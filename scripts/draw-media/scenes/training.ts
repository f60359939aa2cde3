import { room } from '../indoors.ts'
import { cloud, hills, pine, sky, stars, sun, water } from '../outdoors.ts'
import { square, tall, wide } from '../scene.ts'
import type { Scene } from '../scene.ts'
import { blurred, down, faded, glow, line, moved, oval, rect, shape, times } from '../svg.ts'
import { kettlebell, shoe } from './sport.ts'

/** A barbell from the side, 900 long; its middle is the point. */
function barbell([x, y, scale]: readonly [number, number, number], colour: string): string {
  return moved(
    [x, y, scale],
    rect([-450, -9, 900, 18], '#c3c9cf', 8),
    ...[-1, 1].map(
      (side) =>
        rect([side < 0 ? -420 : 360, -130, 60, 260], colour, 16) +
        rect([side < 0 ? -350 : 310, -90, 40, 180], '#20252c', 12),
    ),
  )
}

/** What those show who lift and run. */
export const trainingScenes: readonly Scene[] = [
  {
    name: 'squat-rack',
    topics: ['gym'],
    size: tall,
    draw: (size) =>
      room(size, { wall: ['#d9dcd8', '#c0c5c0'], floor: ['#3a3f45', '#2a2e33'], from: 900 }) +
      rect([100, 130, 700, 120], '#e2603c', 8) +
      line('M170 190 H620', '#fdf6e6', 22) +
      [170, 690]
        .map(
          (x) =>
            rect([x, 330, 44, 680], '#2a2e33', 8) +
            times(9, (hole) => oval([x + 22, 380 + hole * 66, 8], '#8a929a')) +
            rect([x - 60, 1000, 164, 26], '#2a2e33', 8),
        )
        .join('') +
      barbell([450, 560, 0.92], '#3f6b9c') +
      kettlebell([450, 1110, 0.8], '#e9b44c'),
  },
  {
    name: 'plates-chalk',
    topics: ['gym'],
    size: square,
    draw: (size) =>
      rect([0, 0, ...size], down('#3a3f45', '#2a2e33')) +
      times(60, (index) => oval([(index * 173) % 1000, (index * 97) % 1000, 3], '#50565e')) +
      [
        [330, 360, 250, '#c73a3a'],
        [640, 560, 220, '#3f6b9c'],
        [330, 760, 170, '#e9b44c'],
      ]
        .map(
          ([x = 0, y = 0, r = 0, colour = '']) =>
            oval([Number(x) + 10, Number(y) + 18, Number(r)], '#00000050') +
            oval([Number(x), Number(y), Number(r)], String(colour)) +
            oval([Number(x), Number(y), Number(r) * 0.72], '#00000022') +
            oval([Number(x), Number(y), Number(r) * 0.3], '#c3c9cf') +
            oval([Number(x), Number(y), Number(r) * 0.13], '#2a2e33'),
        )
        .join('') +
      faded(0.7, blurred(14, oval([780, 230, 130, 80], '#f4f6f6'))) +
      rect([730, 160, 110, 100], '#fdfdfb', 14),
  },
  {
    name: 'coach-board',
    topics: ['plan', 'gym'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#c9d6dc', '#b0c0c8'], floor: ['#4a4f55', '#363a40'], from: 740 }) +
      rect([150, 80, 900, 540], '#8a929a', 10) +
      rect([172, 102, 856, 496], '#fdfdfb', 6) +
      times(
        5,
        (row) =>
          line(
            `M230 ${190 + row * 86} h${300 + ((row * 71) % 130)}`,
            ['#2f4a63', '#2f4a63', '#c73a3a', '#2f4a63', '#2f8f5f'][row] ?? '',
            12,
          ) +
          times(
            4,
            (cell) =>
              rect([730 + cell * 66, 166 + row * 86, 46, 46], '#00000010', 6) +
              (cell <= (row * 2) % 4
                ? line(`M${740 + cell * 66} ${190 + row * 86} l10 12 l18 -26`, '#2f8f5f', 7)
                : ''),
          ),
      ) +
      rect([420, 620, 360, 18], '#6b737b', 6) +
      [450, 520, 590]
        .map((x, index) =>
          rect([x, 606, 60, 14], ['#c73a3a', '#2f4a63', '#2f8f5f'][index] ?? '', 6),
        )
        .join('') +
      kettlebell([960, 830, 0.8], '#e2603c') +
      kettlebell([200, 840, 0.7], '#2f8f83'),
  },
  {
    name: 'notebook-stopwatch',
    topics: ['plan'],
    size: square,
    draw: (size) =>
      rect([0, 0, ...size], down('#4f5b66', '#3a444d')) +
      moved(
        [440, 500, 1, -7],
        rect([-280, -380, 600, 780], '#00000040', 12),
        rect([-300, -390, 600, 780], '#fdf8ec', 12),
        rect([-300, -390, 70, 780], '#e2603c', 12),
        times(11, (row) =>
          line(
            `M-190 ${-300 + row * 62} h${260 + ((row * 83) % 180)}`,
            row % 4 === 0 ? '#c73a3a' : '#5a6b8c',
            7,
          ),
        ),
      ) +
      moved(
        [770, 690],
        line('M0 -160 Q60 -330 200 -300', '#22252b', 14),
        oval([8, 14, 160], '#00000040'),
        oval([0, 0, 156], '#22252b'),
        oval([0, 0, 126], '#fdfdfb'),
        times(12, (tick) => moved([0, 0, 1, tick * 30], rect([-4, -116, 8, 22], '#22252b'))),
        line('M0 0 L50 -70', '#e2603c', 10),
        rect([-22, -196, 44, 44], '#c3c9cf', 8),
      ),
  },
  {
    name: 'moor-path',
    topics: ['trail', 'outdoors'],
    size: wide,
    draw: (size) =>
      sky('grey', size) +
      cloud([260, 160, 1.6], '#f0f4f6') +
      cloud([900, 120, 1.3], '#e6ecef') +
      hills(size, { base: 430, rise: 90, turn: 4, fill: '#8a8f7a' }) +
      hills(size, { base: 540, rise: 60, turn: 1, fill: '#7a6f5a' }) +
      rect([0, 600, 1200, 300], down('#8c7a55', '#6b5c3f')) +
      shape('M520 600 Q620 690 430 770 T560 900 L860 900 Q640 780 640 700 T560 600 Z', '#c9b48c') +
      times(40, (index) =>
        shape(
          `M${(index * 197) % 1200} ${640 + ((index * 83) % 250)} l8 -34 l8 34 Z`,
          index % 2 === 0 ? '#a3925f' : '#5f6b3f',
        ),
      ) +
      times(
        4,
        (index) =>
          oval([180 + index * 90, 660 + (index % 2) * 30, 26, 16], '#f4f1ea') +
          oval([204 + index * 90, 650 + (index % 2) * 30, 11], '#3a3430'),
      ),
  },
  {
    name: 'headtorch-night',
    topics: ['trail'],
    size: tall,
    draw: (size) =>
      sky('night', size) +
      stars(60, [900, 500], 22) +
      times(8, (index) =>
        pine(
          [40 + index * 120, 820 + (index % 3) * 40, 3.4],
          index % 2 === 0 ? '#0f1f2a' : '#142a36',
        ),
      ) +
      rect([0, 820, 900, 380], down('#1a2430', '#0c141c')) +
      shape('M300 1200 L430 820 L470 820 L720 1200 Z', '#3a4048') +
      faded(0.55, shape('M450 700 L160 1200 L820 1200 Z', '#fff2c4')) +
      oval([450, 690, 150], glow('#fff6d8cc', '#fff6d800')) +
      oval([450, 690, 26], '#fffdf0'),
  },
  {
    name: 'reservoir-loop',
    topics: ['trail', 'outdoors'],
    size: wide,
    draw: (size) =>
      sky('gold', size) +
      sun([300, 300, 50], '#fff6d8') +
      hills(size, { base: 420, rise: 100, turn: 2, fill: '#7a8f74' }) +
      hills(size, { base: 500, rise: 60, turn: 5, fill: '#5f7a5f' }) +
      water(size, { from: 520, colours: ['#e2cf9c', '#6f95a0'], glint: '#fffaf0', seed: 8 }) +
      shape('M0 900 L0 720 Q400 640 760 720 T1200 760 L1200 900 Z', '#4f6b4a') +
      shape('M0 850 Q420 730 760 790 T1200 820 L1200 870 Q900 830 740 840 T0 900 Z', '#d3bd90') +
      pine([120, 760, 1.8], '#2f4a38') +
      pine([230, 750, 1.3], '#3a5a44') +
      pine([1090, 790, 2], '#2b4534'),
  },
  {
    name: 'race-bib',
    topics: ['run'],
    size: square,
    draw: (size) =>
      rect([0, 0, ...size], down('#3f6b8c', '#2f5470')) +
      shape(
        'M120 1000 L180 180 Q320 120 380 120 Q500 260 620 120 Q680 120 820 180 L880 1000 Z',
        '#f2d23f',
      ) +
      moved(
        [500, 580, 1, -2],
        rect([-250, -190, 500, 380], '#ffffff', 14),
        rect([-250, -190, 500, 84], '#e2483a', 14),
        line('M-180 -148 H180', '#ffffff', 18),
        line(
          'M-150 -30 V110 M-150 -30 L-180 0 M-60 -30 H20 V40 H-60 V110 H30 M100 -30 H170 L130 30 Q180 40 170 80 Q150 120 90 104',
          '#22252b',
          24,
        ),
        [-226, 226]
          .map((x) => oval([x, -166, 9], '#8a929a') + oval([x, 166, 9], '#8a929a'))
          .join(''),
      ),
  },
  {
    name: 'race-medals',
    topics: ['run', 'clubrun'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#e6dcd0', '#d3c4b2'], floor: ['#8b5a3a', '#6b4029'], from: 780 }) +
      rect([120, 120, 960, 34], '#6b4a36', 8) +
      times(6, (index) => {
        const x = 210 + index * 156
        const colour =
          ['#c73a3a', '#2f6f8c', '#2f8f5f', '#8a4a9c', '#e2603c', '#2f4a63'][index] ?? ''
        const drop = 400 + ((index * 67) % 130)
        return (
          shape(`M${x - 30} 140 L${x - 10} ${drop} L${x + 10} ${drop} L${x + 30} 140 Z`, colour) +
          oval([x, drop + 60, 66], ['#e9b44c', '#c3c9cf', '#c98a5f'][index % 3] ?? '') +
          oval([x, drop + 60, 46], '#00000018') +
          shape(
            `M${x} ${drop + 28} l10 22 l24 2 l-18 16 l6 24 l-22 -13 l-22 13 l6 -24 l-18 -16 l24 -2 Z`,
            '#fff6dc',
          )
        )
      }),
  },
  {
    name: 'muddy-shoes',
    topics: ['shoes', 'trail'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#a8b4a0', '#93a08a'], floor: ['#8a8f93', '#6f7478'], from: 560 }) +
      rect([260, 620, 700, 230], '#6b5a44', 16) +
      times(8, (row) => line(`M270 ${640 + row * 28} H950`, '#5a4a36', 6)) +
      shoe([470, 770, 1.1], ['#c73a3a', '#2a2e33']) +
      shoe([790, 800, 1.1, 3], ['#c73a3a', '#2a2e33']) +
      times(26, (index) =>
        oval(
          [
            270 + ((index * 97) % 700),
            700 + ((index * 53) % 120),
            12 + (index % 4) * 5,
            8 + (index % 3) * 4,
          ],
          '#5a4430',
        ),
      ),
  },
  {
    name: 'kit-torch',
    topics: ['kit', 'shoes'],
    size: square,
    draw: (size) =>
      rect([0, 0, ...size], down('#c9a878', '#b08c5c')) +
      times(6, (row) => rect([0, row * 166, 1000, 4], '#937044')) +
      shape(
        'M140 460 L220 180 L330 140 Q390 190 450 140 L560 180 L640 460 L540 470 L530 700 L250 700 L240 470 Z',
        '#f2d23f',
      ) +
      rect([380, 150, 18, 550], '#22252b') +
      rect([250, 520, 280, 26], '#e9edf0') +
      moved(
        [800, 280],
        `<ellipse cx="0" cy="0" rx="130" ry="90" fill="none" stroke="#22252b" stroke-width="30"/>`,
        rect([-50, 60, 100, 70], '#e2603c', 14),
        oval([0, 96, 24], '#fffbe0'),
      ) +
      shoe([640, 900, 0.9], ['#3f6b9c', '#f2d23f']) +
      moved(
        [240, 850],
        rect([-60, -90, 70, 150], '#8c2f3a', 24),
        rect([30, -90, 70, 150], '#8c2f3a', 24),
      ),
  },
  {
    name: 'club-street',
    topics: ['clubrun'],
    size: wide,
    draw: (size) =>
      sky('dusk', size) +
      times(
        9,
        (index) =>
          rect(
            [index * 140 - 20, 260 - ((index * 67) % 130), 126, 460],
            ['#3a2f4f', '#453a5a', '#2f2742'][index % 3] ?? '',
          ) +
          times(6, (pane) =>
            rect(
              [index * 140 + 4 + (pane % 2) * 50, 320 + Math.floor(pane / 2) * 90, 30, 40],
              (index + pane) % 3 === 0 ? '#ffd98a' : '#221c33',
            ),
          ),
      ) +
      rect([0, 690, 1200, 210], down('#3a3648', '#26222f')) +
      times(5, (index) =>
        moved(
          [220 + index * 190, 800 + (index % 2) * 26, 0.86],
          oval([0, -250, 28], ['#c48d69', '#8a5a3c', '#e0ac86'][index % 3] ?? ''),
          shape(
            'M-34 -220 Q0 -236 36 -216 L26 -110 L-34 -110 Z',
            ['#f2d23f', '#e2603c', '#5fd0a2', '#f25f8a', '#5fb0f2'][index] ?? '',
          ),
          line('M-4 -110 L44 -50 L14 16', '#1c1a28', 30),
          line('M-14 -110 L-56 -50 L-120 -30', '#1c1a28', 30),
          line('M26 -206 L66 -160 L94 -190', '#c48d69', 18),
          oval([0, -266, 9], '#fffbe0'),
        ),
      ),
  },
]
