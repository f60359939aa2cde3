import { room } from '../indoors.ts'
import { cloud, hills, peaks, pine, sky, sun, water } from '../outdoors.ts'
import { square, tall, wide } from '../scene.ts'
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
import { dog } from './living.ts'

function surfboard(
  [x, y, scale, angle]: readonly [number, number, number, number],
  colour: string,
  stripe: string,
): string {
  return moved(
    [x, y, scale, angle],
    shape(
      'M0 -330 Q104 -180 92 60 Q86 240 40 320 L-40 320 Q-86 240 -92 60 Q-104 -180 0 -330 Z',
      colour,
    ),
    shape('M-9 -322 L9 -322 L9 320 L-9 320 Z', stripe),
    shape('M-70 120 Q0 180 70 120 L62 180 Q0 236 -62 180 Z', stripe),
    shape('M14 250 Q40 290 14 320 Z', '#2a2832'),
  )
}

export function fishingBoat(
  [x, y, scale]: readonly [number, number, number],
  hull: string,
): string {
  return moved(
    [x, y, scale],
    faded(0.3, oval([0, 20, 230, 14], '#1c2748')),
    shape('M-220 -70 Q-190 30 -140 34 L150 34 Q210 10 236 -96 Q100 -50 -220 -70 Z', hull),
    shape('M-214 -50 Q100 -30 230 -74 L236 -96 Q100 -50 -220 -70 Z', '#fdf6e6'),
    rect([-80, -170, 130, 112], '#fdf6e6', 8),
    rect([-94, -184, 160, 22], '#c73a3a', 6),
    rect([-64, -148, 44, 40], '#7fb7d0', 5),
    rect([-6, -148, 44, 40], '#7fb7d0', 5),
    line('M110 -70 V-330 M110 -310 L-150 -80 M110 -310 L226 -96', '#5a4034', 7),
    oval([-150, -40, 16], '#f2a23a'),
    oval([-110, -36, 16], '#e2603c'),
  )
}

function fish(
  [x, y, scale]: readonly [number, number, number],
  colour: string,
  isBack = false,
): string {
  const body =
    shape('M-70 0 Q-20 -50 50 -10 L92 -40 L84 0 L92 40 L50 10 Q-20 50 -70 0 Z', colour) +
    oval([-42, -6, 6], '#ffffff') +
    shape('M-10 -28 Q10 0 -10 28 Q20 10 20 -8 Z', '#ffffff50')
  return moved([x, y, scale], isBack ? `<g transform="scale(-1 1)">${body}</g>` : body)
}

/** A person seen from a distance; the feet stand at the point. */
function person(
  [x, y, scale]: readonly [number, number, number],
  {
    shirt,
    skin = '#d9a07a',
    hair = '#3a2418',
    lean = 0,
  }: { shirt: string; skin?: string; hair?: string; lean?: number },
): string {
  return moved(
    [x, y, scale, lean],
    shadow([0, 0, 70, 10]),
    line('M-10 -130 L-34 -64 L-20 0', '#2f3a55', 30),
    line('M12 -130 L44 -70 L24 -6', '#2f3a55', 30),
    line('M-30 -230 L-62 -180 L-30 -150', skin, 20),
    line('M30 -230 L66 -190 L84 -232', skin, 20),
    shape('M-40 -244 Q0 -262 40 -244 L30 -120 L-30 -120 Z', shirt),
    rect([-20, -216, 40, 40], '#ffffffd0', 5),
    oval([0, -290, 33, 36], skin),
    shape('M-34 -292 Q-36 -334 0 -332 Q36 -334 34 -292 Q20 -312 0 -310 Q-20 -312 -34 -292 Z', hair),
  )
}

export const craftScenes: readonly Scene[] = [
  {
    name: 'surf-wave',
    topics: ['sea', 'wave', 'surfboard', 'beach', 'sport'],
    size: wide,
    draw: (size) =>
      sky('gold', size) +
      sun([930, 250, 60], '#fff6d8') +
      cloud([260, 150, 1]) +
      rect([0, 400, 1200, 500], down('#3f9fc0', '#22688a')) +
      shape(
        'M0 900 L0 330 Q200 130 520 190 Q700 230 720 360 Q640 290 560 320 Q480 360 540 460 Q640 620 1200 640 L1200 900 Z',
        down('#1f7fa8', '#2f9fc0', '#174f70'),
      ) +
      shape(
        'M0 340 Q200 130 520 190 Q700 230 720 360 Q690 320 660 330 Q640 270 560 270 Q360 220 200 320 Q80 400 0 480 Z',
        '#e9f8fb',
      ) +
      times(9, (index) =>
        faded(
          0.5,
          line(
            `M${-20 + index * 60} ${560 - index * 10} Q${160 + index * 60} ${440 - index * 14} ${440 + index * 14} ${420 + index * 26}`,
            '#bfeaf2',
            6,
          ),
        ),
      ) +
      moved(
        [600, 590, 1, -8],
        shape('M-190 10 Q0 -34 200 -4 Q20 44 -190 10 Z', '#f2d23f'),
        shape('M-100 -2 Q0 -22 110 -6 Q0 6 -100 -2 Z', '#e2603c'),
        line('M-50 0 L-10 -90 L40 -4', '#2f3a55', 32),
        line('M-10 -90 L20 -190', '#e2603c', 46),
        line('M14 -180 L-90 -196 M24 -180 L120 -150', '#c98a5f', 20),
        oval([40, -232, 34], '#c98a5f'),
        shape('M8 -240 Q14 -282 54 -272 Q80 -262 74 -236 Q50 -258 8 -240 Z', '#4a2a18'),
      ) +
      times(40, (index) =>
        oval(
          [440 + ((index * 53) % 330), 300 + ((index * 37) % 240), 4 + (index % 4) * 3],
          '#ffffffb0',
        ),
      ) +
      shape('M0 900 L0 790 Q300 720 620 800 T1200 770 L1200 900 Z', '#dff4f8'),
  },
  {
    name: 'surfboard-workshop',
    topics: ['surfboard', 'tools', 'crafts', 'shop'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#cfdfe2', '#b4cace'], floor: ['#b89a78', '#967a5a'], from: 660 }) +
      rect([90, 90, 420, 260], '#a8743f', 6) +
      [130, 200, 270, 350, 430]
        .map((x, index) =>
          moved(
            [x, 130],
            rect([-8, 0, 16, 100], '#7a4d2c', 6),
            index % 2 === 0
              ? rect([-26, 90, 52, 50], '#8a929a', 6)
              : shape('M-10 96 L10 96 L22 190 L-22 190 Z', '#c3c9cf'),
          ),
        )
        .join('') +
      [680, 810, 940, 1070]
        .map((x, index) =>
          surfboard(
            [x, 380, 0.8, 0],
            ['#f4ead8', '#7fc4d0', '#f2a07a', '#f2d98a'][index] ?? '',
            ['#e2603c', '#2f5f8a', '#fdf6e6', '#2f8f83'][index] ?? '',
          ),
        )
        .join('') +
      line('M260 840 L330 620 L400 840 M720 840 L790 620 L860 840', '#6b4029', 22) +
      moved(
        [560, 600, 1.2, 90],
        shadow([0, 0, 60, 330]),
        surfboard([0, 0, 1, 0], '#fffaf0', '#7fc4d0'),
      ) +
      moved(
        [430, 560],
        rect([-80, -30, 160, 26], '#c98f56', 8),
        rect([-66, -58, 60, 30], '#8a5f38', 12),
        rect([-80, -8, 160, 8], '#8a929a'),
      ) +
      times(40, (index) =>
        oval([300 + ((index * 97) % 560), 830 + ((index * 31) % 60), 6, 3], '#fffaf0'),
      ),
  },
  {
    name: 'harbor-boats',
    topics: ['harbor', 'boat', 'sea', 'sky', 'morning', 'travel', 'weather', 'view', 'nets'],
    size: wide,
    draw: (size) =>
      sky('dawn', size) +
      sun([870, 380, 52]) +
      hills(size, { base: 440, rise: 70, turn: 2, fill: '#8a6aa0' }) +
      [0, 1, 2, 3, 4, 5, 6]
        .map((index) =>
          moved(
            [40 + index * 92, 330 + (index % 3) * 14],
            rect(
              [0, 0, 84, 140],
              ['#f0d3a0', '#e8a888', '#fbe9d8', '#c9b0c4', '#f4c9a0', '#d99a84', '#fbe9d8'][
                index
              ] ?? '',
            ),
            shape('M-6 0 L42 -44 L90 0 Z', '#a85a5a'),
            times(4, (place) =>
              rect([14 + (place % 2) * 34, 20 + Math.floor(place / 2) * 50, 20, 28], '#5a5078'),
            ),
          ),
        )
        .join('') +
      water(size, {
        from: 460,
        colours: ['#e9a890', '#8f86ad', '#3e5c86'],
        glint: '#fff2d0',
        seed: 5,
      }) +
      fishingBoat([360, 600, 0.85], '#3f6b9c') +
      fishingBoat([830, 690, 1.2], '#2f8f83') +
      rect([0, 800, 1200, 100], '#8a6a52') +
      times(12, (index) => rect([index * 104, 800, 98, 100], '#96765c')) +
      moved(
        [230, 810],
        shape('M-170 70 Q-160 -40 -30 -50 Q120 -60 170 70 Z', '#c98a5f'),
        times(9, (index) =>
          line(
            `M${-160 + index * 38} 66 Q${-100 + index * 26} 0 ${-40 + index * 10} -44`,
            '#8a5a3c',
            3,
          ),
        ),
        oval([-60, 20, 16], '#f2a23a'),
        oval([40, 30, 16], '#f2a23a'),
      ) +
      [520, 1100].map((x) => rect([x, 730, 50, 90], '#5a4034', 10)).join(''),
  },
  {
    name: 'freediver',
    topics: ['sea', 'diver', 'fish', 'swimming', 'sport'],
    size: tall,
    draw: (size) =>
      rect([0, 0, ...size], down('#8fe3e8', '#2fa0c4', '#0f5a8a', '#062a50')) +
      [120, 330, 520, 700]
        .map((x, index) =>
          faded(
            0.2,
            shape(
              `M${x} -20 L${x + 90} -20 L${x + 200 - index * 90} 900 L${x + 20 - index * 90} 900 Z`,
              '#ffffff',
            ),
          ),
        )
        .join('') +
      line('M600 0 V1200', '#f2d23f', 5) +
      moved(
        [440, 560, 1.25, 24],
        shape('M-34 190 L-80 400 L-20 380 Z M34 190 L70 410 L14 384 Z', '#1a2440'),
        line('M-18 60 L-26 200 M18 60 L24 200', '#22304f', 40),
        shape('M-50 -130 Q0 -160 50 -130 L36 80 L-36 80 Z', '#22304f'),
        line('M-40 -120 Q-60 -240 -10 -320 M40 -120 Q56 -240 6 -322', '#22304f', 28),
        oval([0, -180, 40, 46], '#22304f'),
        oval([8, -184, 30, 20], '#7fd0e8'),
      ) +
      [
        [160, 300, 0.8],
        [250, 350, 0.6],
        [120, 380, 0.5],
        [760, 800, 0.9],
        [680, 860, 0.7],
        [780, 900, 0.6],
      ]
        .map(([x = 0, y = 0, s = 1], index) =>
          fish([x, y, s], index < 3 ? '#f2c94f' : '#f28a5f', index >= 3),
        )
        .join('') +
      times(16, (index) =>
        oval([500 + Math.sin(index * 2) * 26, 420 - index * 26, 4 + (index % 4) * 4], '#ffffff70'),
      ) +
      shape(
        'M0 1200 L0 1080 Q120 1020 240 1090 T480 1100 T720 1080 T900 1110 L900 1200 Z',
        '#0a2038',
      ) +
      [90, 300, 780]
        .map((x, index) =>
          line(
            `M${x} 1110 q-30 -70 10 -130 q30 -50 0 -100`,
            ['#e2607a', '#f2a07a', '#c77dbf'][index] ?? '',
            22,
          ),
        )
        .join(''),
  },
  {
    name: 'kiln-fire',
    topics: ['kiln', 'pottery', 'crafts'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#4a3a3a', '#3a2c2e'], floor: ['#6b5a50', '#4f4038'], from: 700 }) +
      oval([600, 500, 560], glow('#ff9d4a66', '#ff9d4a00')) +
      shape('M280 780 L280 330 Q600 90 920 330 L920 780 Z', '#a85f48') +
      times(8, (row) =>
        times(8, (column) =>
          row * 56 + 340 > 330
            ? rect(
                [290 + column * 80 - (row % 2) * 30, 350 + row * 54, 72, 46],
                (row + column) % 3 === 0 ? '#b86f54' : '#9a543f',
                5,
              )
            : '',
        ),
      ) +
      shape('M400 780 L400 470 Q600 320 800 470 L800 780 Z', '#2a1210') +
      shape(
        'M420 780 L420 480 Q600 346 780 480 L780 780 Z',
        down('#ffb347', '#ff7a33', '#c9402a'),
      ) +
      rect([420, 610, 360, 16], '#8c3a2a') +
      [500, 600, 700]
        .map(
          (x, index) =>
            moved(
              [x, 610],
              shape(
                'M-34 0 Q-56 -60 -18 -96 L18 -96 Q56 -60 34 0 Z',
                ['#ffe0a0', '#ffd07a', '#ffe9c0'][index] ?? '',
              ),
            ) +
            moved(
              [x, 776],
              shape(
                'M-44 0 Q-54 -70 -40 -80 L40 -80 Q54 -70 44 0 Z',
                ['#ffd07a', '#ffe9c0', '#ffc46a'][index] ?? '',
              ),
            ),
        )
        .join('') +
      rect([560, 110, 80, 120], '#8a4a38') +
      moved(
        [1040, 790],
        shadow([0, 0, 110, 12]),
        ...[0, 1, 2].map(
          (index) =>
            rect([-100 + index * 6, -60 - index * 56, 200 - index * 12, 52], '#7a5236', 20) +
            oval([-92 + index * 6, -34 - index * 56, 22], '#c98f56'),
        ),
      ),
  },
  {
    name: 'glazed-bowls',
    topics: ['glaze', 'pottery', 'shelf', 'clay', 'bowls', 'atelier'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#efe6da', '#e2d4c2')) +
      [330, 620, 860]
        .map(
          (y, row) =>
            rect([60, y, 1080, 22], '#8a5f38') +
            rect([60, y + 22, 1080, 8], '#00000020') +
            times(5, (index) => {
              const glaze =
                ['#2f6f8f', '#7fb7a8', '#c96f4a', '#f4ead8', '#3a4f6b', '#d9a24f', '#8f5a7a'][
                  (index + row * 2) % 7
                ] ?? ''
              const x = 170 + index * 215
              return moved(
                [x, y, 1.15],
                shadow([0, 0, 70, 8]),
                (index + row) % 3 === 0
                  ? shape('M-80 -90 Q-70 0 -24 0 L24 0 Q70 0 80 -90 Z', '#d9bc96') +
                      shape(
                        'M-80 -90 L80 -90 Q76 -50 60 -34 Q44 -54 26 -24 Q6 -50 -14 -30 Q-34 -52 -54 -28 Q-74 -50 -80 -90 Z',
                        glaze,
                      ) +
                      oval([0, -90, 80, 15], '#00000030')
                  : (index + row) % 3 === 1
                    ? shape(
                        'M-36 0 Q-86 -70 -40 -150 L-44 -180 L44 -180 L40 -150 Q86 -70 36 0 Z',
                        '#d9bc96',
                      ) +
                      shape(
                        'M-44 -180 L44 -180 L40 -150 Q66 -106 62 -76 Q40 -96 22 -60 Q0 -92 -24 -66 Q-44 -92 -60 -74 Q-66 -106 -40 -150 Z',
                        glaze,
                      ) +
                      oval([0, -180, 44, 9], '#00000030')
                    : rect([-50, -110, 100, 110], '#d9bc96', 14) +
                      shape(
                        'M-50 -100 L50 -100 L50 -50 Q30 -66 14 -38 Q-4 -62 -20 -40 Q-36 -60 -50 -46 Z',
                        glaze,
                      ) +
                      oval([0, -104, 50, 10], '#00000030') +
                      line('M50 -84 q44 0 36 38 q-6 20 -36 20', glaze, 12),
              )
            }),
        )
        .join(''),
  },
  {
    name: 'knife-board',
    topics: ['knife', 'vegetables', 'kitchen', 'food', 'cooking', 'table', 'dinner', 'basics'],
    size: square,
    draw: (size) =>
      rect([0, 0, ...size], down('#5c7a78', '#4a6664')) +
      moved(
        [480, 520, 1, -6],
        blurred(14, faded(0.35, rect([-350, -280, 720, 580], '#101818', 30))),
        rect([-360, -300, 720, 580], '#d9a56c', 30),
        times(6, (index) =>
          line(`M-330 ${-240 + index * 94} q240 ${index % 2 === 0 ? 12 : -12} 660 0`, '#b97f48', 3),
        ),
        oval([310, -250, 20], '#4a6664'),
        ...[0, 1, 2, 3, 4, 5].map((index) =>
          moved(
            [-250 + index * 56, 120],
            oval([0, 0, 40], '#f28a3a'),
            oval([0, 0, 32], '#f7a85a'),
            oval([0, 0, 9], '#f28a3a'),
          ),
        ),
        moved(
          [-170, -90, 1, 20],
          shape('M-150 0 Q-60 -60 110 -34 Q140 0 110 34 Q-60 60 -150 0 Z', '#f28a3a'),
          line(
            'M112 0 Q170 -50 200 -70 M112 0 Q180 -6 220 -10 M112 0 Q170 40 200 60',
            '#4f9a4a',
            12,
          ),
        ),
        ...[
          [120, -160],
          [200, -120],
          [150, -80],
        ].map(
          ([x = 0, y = 0]) =>
            oval([x, y, 52], '#d9402f') +
            oval([x - 14, y - 16, 13], '#ffffff60') +
            oval([x, y - 6, 15], '#4f9a4a'),
        ),
        times(14, (index) =>
          moved(
            [160 + (index % 5) * 34, 60 + Math.floor(index / 5) * 44, 1, index * 40],
            rect([-14, -10, 28, 20], '#76b85a', 6),
          ),
        ),
      ) +
      moved(
        [800, 560, 1.1, 8],
        shape('M-40 -330 Q60 -200 50 120 L-40 120 Z', down('#f4f7fa', '#c3ccd6')),
        rect([-44, 120, 60, 210], '#3a2418', 16),
        ...[160, 220, 280].map((y) => oval([-14, y, 8], '#c3ccd6')),
      ) +
      moved(
        [130, 860],
        ...[0, 1, 2].map((index) =>
          moved(
            [index * 70, (index % 2) * 30],
            shape('M0 40 Q-56 30 -46 -20 Q-36 -60 0 -70 Q36 -60 46 -20 Q56 30 0 40 Z', '#f4ead8'),
            line('M0 -70 V-96', '#c9b08a', 7),
          ),
        ),
      ),
  },
  {
    name: 'harvest-basket',
    topics: ['vegetables', 'fruit', 'garden', 'market', 'summer', 'harvest', 'autumn'],
    size: wide,
    draw: (size) =>
      sky('day', size) +
      hills(size, { base: 480, rise: 40, turn: 2, fill: '#a9cf9a' }) +
      times(
        24,
        (index) =>
          rect([index * 52, 430, 34, 220], '#f4ead8', 6) +
          shape(`M${index * 52} 436 l17 -30 l17 30 Z`, '#f4ead8'),
      ) +
      rect([0, 500, 1200, 20], '#e2d4bc') +
      rect([0, 640, 1200, 260], down('#b58a5c', '#8f6840')) +
      moved(
        [580, 800],
        shadow([0, 10, 360, 24]),
        `<path d="M-270 -180 Q-240 -430 0 -430 Q240 -430 270 -180" fill="none" stroke="#8a5a30" stroke-width="24"/>`,
        ...[
          [-200, -210, 62, '#d9402f'],
          [-90, -240, 66, '#e2483a'],
          [20, -220, 60, '#d9402f'],
          [-150, -270, 46, '#f2a23a'],
        ].map(
          ([x, y, r, colour]) =>
            oval([Number(x), Number(y), Number(r)], String(colour)) +
            oval([Number(x) - 18, Number(y) - 20, 12], '#ffffff60') +
            shape(
              `M${Number(x) - 22} ${Number(y) - Number(r) + 6} l22 -16 l22 16 l-22 10 Z`,
              '#4f9a4a',
            ),
        ),
        ...[120, 170, 215].map((x, index) =>
          moved(
            [x, -210, 1, 18 + index * 12],
            shape('M-26 -40 Q0 -56 26 -40 L6 150 L-6 150 Z', '#f28a3a'),
            line('M0 -44 Q-20 -120 -40 -140 M0 -44 V-150 M0 -44 Q20 -120 40 -136', '#4f9a4a', 11),
          ),
        ),
        shape('M-290 -190 L290 -190 L236 0 Q230 14 210 14 L-210 14 Q-230 14 -236 0 Z', '#c98f4a'),
        times(6, (row) =>
          times(14 - Math.floor(row / 2), (column) =>
            rect(
              [-274 + column * 38 + (row % 2) * 12 + row * 8, -180 + row * 31, 30, 24],
              row % 2 === 0 ? '#b57a38' : '#d9a35c',
              6,
            ),
          ),
        ),
        rect([-300, -206, 600, 30], '#a86f30', 14),
      ) +
      moved(
        [1010, 800, 1.1],
        shadow([0, 0, 110, 12]),
        shape('M-90 0 Q-120 -150 0 -160 Q120 -150 90 0 Z', '#4f8f4a'),
        times(5, (index) =>
          line(
            `M${-60 + index * 30} -4 Q${-80 + index * 40} -90 ${-16 + index * 8} -150`,
            '#8fca7a',
            7,
          ),
        ),
      ),
  },
  {
    name: 'barbell',
    topics: ['gym', 'barbell', 'people', 'training', 'strength', 'workout'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#3a4250', '#2c333f'], floor: ['#23272e', '#181b21'], from: 690 }) +
      times(
        5,
        (index) =>
          rect([80 + index * 240, 60, 120, 14], '#ffe9b8', 6) +
          faded(0.14, shape(`M${80 + index * 240} 74 h120 l90 616 h-300 Z`, '#ffe9b8')),
      ) +
      rect([180, 720, 840, 60], '#4a3a2e', 8) +
      moved(
        [600, 736, 0.86],
        line('M-60 0 L-80 -150 L-30 -270', '#2f3a55', 58),
        line('M60 0 L80 -150 L30 -270', '#2f3a55', 58),
        shape('M-86 -470 Q0 -500 86 -470 L60 -250 L-60 -250 Z', '#e2603c'),
        line('M-76 -450 L-160 -540 L-150 -640', '#c98a5f', 42),
        line('M76 -450 L160 -540 L150 -640', '#c98a5f', 42),
        rect([-18, -520, 36, 50], '#c98a5f'),
        oval([0, -560, 50, 56], '#c98a5f'),
        shape(
          'M-52 -566 Q-56 -630 0 -626 Q56 -630 52 -566 Q30 -596 0 -594 Q-30 -596 -52 -566 Z',
          '#2a1a14',
        ),
        rect([-90, -14, 76, 26], '#fdf6e6', 10),
        rect([14, -14, 76, 26], '#fdf6e6', 10),
        rect([-470, -668, 940, 18], '#c3c9cf', 8),
        ...[-1, 1].map((side) =>
          moved(
            [side * 360, -659],
            rect([side < 0 ? -60 : 0, -140, 60, 280], '#c73a3a', 16),
            rect([side < 0 ? -106 : 60, -110, 46, 220], '#2f6fb0', 14),
            rect([side < 0 ? -140 : 106, -70, 34, 140], '#f2d23f', 10),
          ),
        ),
      ),
  },
  {
    name: 'lake-snow',
    topics: [
      'lake',
      'snow',
      'tea',
      'winter',
      'swimming',
      'mountains',
      'cold',
      'outdoors',
      'openwater',
    ],
    size: wide,
    draw: (size) =>
      sky('grey', size) +
      peaks(size, { base: 440, rise: 260, seed: 3, fill: '#8fa3b8', snow: '#f7fbff' }) +
      times(16, (index) =>
        pine(
          [index * 82 - 20, 470 + (index % 3) * 8, 1 + (index % 4) * 0.22],
          '#4a6670',
          '#f4f8fb',
        ),
      ) +
      rect([0, 460, 1200, 220], down('#a9c4d6', '#5f86a6')) +
      shape('M0 460 L330 460 Q290 500 180 498 T0 520 Z', '#f4f8fb') +
      shape('M760 460 L1200 460 L1200 540 Q980 520 880 494 T760 460 Z', '#f4f8fb') +
      moved(
        [560, 590],
        oval([0, 26, 110, 14], '#ffffff50'),
        oval([0, -20, 38, 42], '#d9a07a'),
        shape('M-42 -22 Q-44 -84 0 -84 Q44 -84 42 -22 Q0 -44 -42 -22 Z', '#e2483a'),
        oval([0, -88, 17], '#fdf6e6'),
      ) +
      shape('M0 660 Q300 610 620 660 T1200 640 L1200 900 L0 900 Z', '#ffffff') +
      shape('M0 740 Q300 700 620 740 T1200 720 L1200 900 L0 900 Z', '#e6eef5') +
      moved(
        [850, 830],
        shadow([0, 0, 150, 14]),
        rect([-120, -210, 84, 210], '#2f8f83', 18),
        rect([-112, -256, 68, 60], '#c3ccd2', 12),
        rect([-120, -130, 84, 22], '#fdf6e6'),
        moved(
          [30, 0, 1],
          shape('M-50 -96 L50 -96 L40 0 L-40 0 Z', '#c3ccd2'),
          oval([0, -96, 50, 11], '#b5733a'),
          blurred(
            5,
            faded(
              0.8,
              line('M-14 -120 q-16 -24 0 -48 q16 -22 0 -40 M18 -120 q-14 -24 0 -44', '#ffffff', 9),
            ),
          ),
        ),
      ) +
      moved(
        [250, 820, 1, -6],
        shape('M-160 0 L140 -30 L170 40 L-140 70 Z', '#e2603c'),
        shape('M-100 -6 L-60 -10 L-34 60 L-74 64 Z', '#fdf6e6'),
        shape('M30 -20 L70 -24 L98 48 L58 52 Z', '#fdf6e6'),
      ) +
      times(80, (index) =>
        oval([(index * 197) % 1200, (index * 131) % 700, 2 + (index % 3)], '#ffffff'),
      ),
  },
  {
    name: 'darkroom',
    topics: ['darkroom', 'camera', 'photography'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#3a0810', '#6b101c', '#3a0810')) +
      oval([600, 110, 520], glow('#ff4a4a99', '#ff4a4a00')) +
      rect([560, 0, 80, 60], '#1a0408') +
      oval([600, 80, 56], '#ff6a5a') +
      line('M0 210 Q600 270 1200 200', '#1a0408', 5) +
      [130, 390, 660, 930]
        .map((x, index) =>
          moved(
            [x, 236 + (index % 2) * 10, 1, index % 2 === 0 ? -3 : 3],
            rect([40, -24, 16, 40], '#1a0408', 4),
            rect([110, -24, 16, 40], '#1a0408', 4),
            rect([0, 0, 170, 220], '#ff9a8a', 3),
            rect([12, 12, 146, 170], '#8c1f28'),
            [
              shape('M12 182 L12 130 L60 70 L100 120 L130 90 L158 130 L158 182 Z', '#4a0c14') +
                oval([120, 50, 15], '#ffb0a0'),
              oval([85, 80, 34, 40], '#ffb0a0') +
                shape('M30 182 Q40 124 85 124 Q130 124 140 182 Z', '#ffb0a0') +
                shape('M48 84 Q44 32 85 34 Q126 32 122 84 Q104 56 85 58 Q64 56 48 84 Z', '#4a0c14'),
              rect([50, 60, 30, 122], '#4a0c14') +
                rect([88, 90, 40, 92], '#5c1018') +
                rect([22, 100, 26, 82], '#5c1018'),
              shape(
                'M40 160 Q50 90 70 90 L60 50 L90 76 L110 50 L112 92 Q136 110 130 160 Z',
                '#4a0c14',
              ),
            ][index] ?? '',
          ),
        )
        .join('') +
      rect([0, 640, 1200, 260], down('#2a060c', '#140204')) +
      [140, 480, 820]
        .map((x, index) =>
          moved(
            [x, 700],
            rect([0, 0, 270, 120], '#8c2a32', 10),
            rect([16, 14, 238, 92], ['#b8404a', '#a83540', '#c24a54'][index] ?? '', 6),
            index === 1
              ? rect([70, 24, 110, 70], '#ffb0a0', 3) + oval([125, 54, 20], '#8c1f28')
              : '',
          ),
        )
        .join(''),
  },
  {
    name: 'race-finish',
    topics: ['race', 'running', 'city', 'sport', 'club', 'run', 'clubrun'],
    size: wide,
    draw: (size) =>
      sky('day', size) +
      cloud([200, 120, 0.9]) +
      times(
        8,
        (index) =>
          rect(
            [index * 156 - 20, 230 - ((index * 83) % 130), 146, 420],
            ['#e8b89a', '#f0d3a8', '#c9d0c0', '#d9a48a'][index % 4] ?? '',
          ) +
          times(9, (place) =>
            rect(
              [
                index * 156 + (place % 3) * 42,
                270 - ((index * 83) % 130) + Math.floor(place / 3) * 76,
                24,
                40,
              ],
              '#6b7f8f',
              3,
            ),
          ),
      ) +
      rect([0, 560, 1200, 340], down('#8a8f96', '#6b7078')) +
      shape('M560 560 L640 560 L760 900 L440 900 Z', '#ffffff14') +
      rect([190, 230, 34, 500], '#2f3a55') +
      rect([976, 230, 34, 500], '#2f3a55') +
      rect([150, 190, 900, 120], '#c73a4e', 12) +
      times(
        36,
        (index) =>
          rect([150 + index * 25, 190, 25, 14], index % 2 === 0 ? '#22252b' : '#ffffff') +
          rect([150 + index * 25, 296, 25, 14], index % 2 === 1 ? '#22252b' : '#ffffff'),
      ) +
      times(5, (index) =>
        shape(
          `M${420 + index * 80} 222 l16 16 l22 4 l-16 16 l4 24 l-26 -12 l-24 12 l4 -24 l-16 -16 l22 -4 Z`,
          '#f2d23f',
        ),
      ) +
      person([360, 790, 0.95], { shirt: '#2f8f83', lean: -3 }) +
      person([840, 790, 0.95], { shirt: '#e9b44c', skin: '#8a5a3a', lean: 3 }) +
      person([600, 850, 1.35], { shirt: '#e2603c', skin: '#c98a5f', lean: 2 }) +
      person([130, 730, 0.75], { shirt: '#8a6fa8', skin: '#f0c8a8', hair: '#c98a3a' }) +
      person([1080, 730, 0.75], { shirt: '#3f8fc0' }) +
      times(50, (index) =>
        moved(
          [(index * 233) % 1200, (index * 97) % 560, 1, index * 33],
          rect([-8, -5, 16, 10], ['#f2d23f', '#f25f8a', '#4ecdc4', '#ffffff'][index % 4] ?? '', 2),
        ),
      ),
  },
  {
    name: 'porch-dog',
    topics: ['porch', 'dog', 'pets', 'home', 'evening'],
    size: wide,
    draw: (size) =>
      sky('gold', size) +
      sun([210, 330, 54], '#fff6d8') +
      hills(size, { base: 470, rise: 40, turn: 1, fill: '#a9b88a' }) +
      rect([380, 0, 820, 700], '#f4ead8') +
      times(12, (row) => rect([380, row * 58, 820, 4], '#dccdb4')) +
      rect([700, 190, 190, 510], '#2f6f6b', 6) +
      rect([724, 220, 142, 180], '#8fc4c0', 4) +
      oval([866, 470, 11], '#e9b44c') +
      rect([980, 220, 180, 220], '#fdfaf2') +
      rect([996, 236, 148, 188], '#8fb8c9') +
      rect([1064, 236, 10, 188], '#fdfaf2') +
      rect([0, 690, 1200, 210], down('#b98a5c', '#96693f')) +
      times(9, (index) =>
        line(`M${index * 150 - 30} 690 L${index * 190 - 180} 900`, '#7f5632', 4),
      ) +
      rect([0, 0, 1200, 54], '#7a5236') +
      [380, 30].map((x) => rect([x, 40, 36, 660], '#fdfaf2')).join('') +
      times(12, (index) => rect([72 + index * 27, 520, 10, 176], '#fdfaf2')) +
      rect([60, 504, 330, 18], '#fdfaf2', 4) +
      moved(
        [540, 780],
        shadow([0, 6, 150, 14]),
        `<path d="M-150 -6 Q0 40 150 -6" fill="none" stroke="#6b4029" stroke-width="16"/>`,
        line('M-90 0 L-100 -330 M80 10 L90 -130 L-90 -130', '#7a4d2c', 17),
        rect([-114, -330, 36, 200], '#8a5a34', 8),
        rect([-100, -150, 200, 30], '#e2603c', 12),
        line('M90 -130 L100 -210 L-90 -210', '#7a4d2c', 13),
      ) +
      dog([930, 820, 0.98], ['#6b6560', '#3f3a36', '#e2dcd2']),
  },
  {
    name: 'amplifier',
    topics: ['amplifier', 'guitar', 'music', 'gear', 'practice', 'recording'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#7a3f3a', '#5c2e2c'], floor: ['#6b4a36', '#4f3424'], from: 680 }) +
      times(12, (row) =>
        times(20, (column) =>
          column % 2 === 0 ? rect([column * 62, row * 58 - 20, 54, 18], '#00000016', 3) : '',
        ),
      ) +
      moved(
        [440, 800],
        shadow([0, 4, 300, 18]),
        rect([-270, -480, 540, 480], '#2a2424', 20),
        rect([-240, -360, 480, 330], '#8a7a66', 8),
        times(15, (row) => rect([-240, -360 + row * 22, 480, 4], '#6b5e4c')),
        oval([0, -195, 130], '#00000030'),
        rect([-240, -456, 480, 76], '#d9c9a0', 8),
        ...[0, 1, 2, 3, 4, 5].map(
          (index) =>
            oval([-190 + index * 60, -418, 19], '#2a2424') +
            line(`M${-190 + index * 60} -418 l${index % 2 === 0 ? -6 : 8} -13`, '#ffffff', 4),
        ),
        oval([200, -418, 11], '#ff4a4a'),
        rect([-70, -512, 140, 26], '#3a3030', 10),
      ) +
      moved(
        [860, 830, 1, 12],
        shape(
          'M0 0 C-130 10 -170 -90 -120 -160 C-100 -190 -130 -240 -120 -290 C-100 -330 -60 -300 -34 -270 ' +
            'L34 -270 C60 -310 110 -350 124 -300 C134 -250 96 -200 120 -160 C170 -90 130 10 0 0 Z',
          '#2f8fb0',
        ),
        shape('M-60 -40 C-90 -120 -40 -180 -50 -250 L50 -250 C40 -180 96 -130 60 -40 Z', '#fdf6e6'),
        rect([-20, -700, 40, 470], '#d9a56c', 4),
        shape('M-26 -700 L26 -700 L56 -830 L-10 -820 Z', '#d9a56c'),
        ...[0, 1, 2, 3, 4, 5].map((fret) => rect([-20, -660 + fret * 62, 40, 3], '#8a6a42')),
        ...[-210, -160, -110].map((y) => rect([-40, y, 80, 22], '#2a2424', 8)),
        ...[-9, -3, 3, 9].map((x) => line(`M${x} -70 V-700`, '#e9edf0', 1.6)),
        rect([-34, -76, 68, 18], '#c3c9cf', 4),
      ) +
      line('M700 700 Q640 880 780 860 T860 800', '#1a1414', 9),
  },
]
