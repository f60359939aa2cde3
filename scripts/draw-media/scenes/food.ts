import { candle, curtain, mug, pane, pottedPlant, room, table, woods } from '../indoors.ts'
import { square, tall, wide } from '../scene.ts'
import type { Scene } from '../scene.ts'
import type { Size } from '../svg.ts'
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
  within,
} from '../svg.ts'

/** A plate seen from above. */
export function plate(
  [x, y, radius]: readonly [number, number, number],
  colour = '#fbf8f2',
): string {
  return (
    blurred(16, faded(0.32, oval([x + 14, y + 24, radius * 1.02], '#2a1810'))) +
    oval([x, y, radius], colour) +
    oval([x, y, radius * 0.98], '#00000008') +
    oval([x, y, radius * 0.74], '#00000012') +
    oval([x, y, radius * 0.72], colour)
  )
}

/** A table top seen from above: boards. */
export function boards(
  [width, height]: Size,
  [light, middle, dark]: readonly [string, string, string],
): string {
  const board = height / 5
  return (
    times(5, (row) => rect([0, row * board, width, board - 3], row % 2 === 0 ? light : middle)) +
    times(5, (row) => rect([0, row * board + board - 3, width, 3], dark)) +
    times(10, (index) =>
      faded(
        0.3,
        line(
          `M${(index * 331) % width} ${(index * 0.5 + 0.3) * board} q90 ${index % 2 === 0 ? 8 : -8} 210 0`,
          dark,
          2,
        ),
      ),
    )
  )
}

function fork([x, y, scale, angle]: readonly [number, number, number, number]): string {
  return moved(
    [x, y, scale, angle],
    rect([-7, -40, 14, 250], '#d7dbe0', 7),
    shape('M-28 -40 Q-28 0 0 8 Q28 0 28 -40 Z', '#d7dbe0'),
    ...[-24, -8, 8, 24].map((left) => rect([left - 4, -120, 8, 90], '#d7dbe0', 4)),
  )
}

export function leaf(
  [x, y, scale, angle]: readonly [number, number, number, number],
  colour: string,
): string {
  return moved(
    [x, y, scale, angle],
    shape('M0 0 Q26 -30 0 -76 Q-26 -30 0 0 Z', colour),
    line('M0 0 V-62', '#00000026', 3),
  )
}

export function tomato([x, y, r]: readonly [number, number, number]): string {
  return oval([x, y, r], '#d9402f') + oval([x - r * 0.3, y - r * 0.3, r * 0.25], '#ffffff60')
}

/** A pan on a stove, seen from the side, with steam. */
export function pot(
  [x, y, scale]: readonly [number, number, number],
  colour = '#d94f3d',
  steam = 0,
): string {
  const wisps = [-70, 0, 70].map((left, index) => {
    const sway = Math.sin(steam * Math.PI * 2 + index * 2) * 22
    return line(`M${left} -210 q${-24 + sway} -40 0 -84 q${24 + sway} -40 0 -86`, '#ffffff', 16)
  })
  return moved(
    [x, y, scale],
    shadow([0, 4, 190, 16]),
    blurred(8, faded(0.5, ...wisps)),
    rect([-212, -124, 44, 24], '#2d2a32', 10),
    rect([168, -124, 44, 24], '#2d2a32', 10),
    shape('M-170 -150 L170 -150 L160 -20 Q156 0 130 0 L-130 0 Q-156 0 -160 -20 Z', colour),
    shape('M70 -150 L170 -150 L160 -20 Q156 0 130 0 L60 0 Z', '#00000018'),
    shape('M-176 -166 Q0 -210 176 -166 L176 -148 L-176 -148 Z', colour),
    shape('M-176 -156 L176 -156 L176 -148 L-176 -148 Z', '#00000030'),
    oval([0, -196, 22, 13], '#2d2a32'),
  )
}

export function kitchen(size: Size, steam = 0): string {
  const [width] = size
  return (
    room(size, { wall: ['#f7ecd9', '#ecdcc0'], floor: ['#c99a67', '#a97a4c'], from: 640 }) +
    times(6, (row) =>
      times(13, (column) =>
        rect(
          [column * 94 + (row % 2) * 47 - 40, 330 + row * 52, 90, 48],
          (column + row) % 5 === 0 ? '#d8e6e2' : '#e8f0ec',
          3,
        ),
      ),
    ) +
    pane([90, 60, 300, 236], 'day') +
    pottedPlant([150, 298, 0.42]) +
    pottedPlant([330, 298, 0.34], { pot: '#e9b44c', leaf: '#5a9f4f', light: '#86bf6a' }) +
    rect([520, 196, 620, 20], '#9a6a43', 4) +
    [560, 640, 720]
      .map(
        (x, index) =>
          rect([x, 116, 56, 80], ['#e9b44c', '#7fb7be', '#d86c4f'][index] ?? '', 8) +
          rect([x + 4, 104, 48, 16], '#7a5236', 4),
      )
      .join('') +
    rect([830, 130, 200, 66], '#ffffff', 6) +
    rect([842, 142, 176, 10], '#d0d7dc') +
    [870, 930, 990].map((x) => moved([x, 196], oval([0, -26, 22, 26], '#cfe3ee'))).join('') +
    rect([0, 620, width, 40], '#8c5c39') +
    rect([0, 660, width, 240], down('#4c7a78', '#3a6160')) +
    [60, 340, 860, 1010]
      .map(
        (x) => rect([x, 700, 130, 180], '#00000018', 8) + rect([x + 50, 716, 30, 8], '#e8d9b8', 4),
      )
      .join('') +
    rect([480, 640, 340, 260], '#3a3d45') +
    rect([516, 720, 268, 150], '#22252b', 10) +
    [540, 610, 690, 760].map((x) => oval([x, 684, 15], '#d9dde2')).join('') +
    rect([480, 606, 340, 18], '#22252b', 4) +
    pot([650, 606, 0.86], '#d94f3d', steam) +
    moved(
      [190, 620],
      shape('M-80 0 L-60 -14 L190 -14 L170 0 Z', '#d9a56c'),
      oval([-10, -34, 26], '#d9402f'),
      oval([46, -32, 24], '#d9402f'),
      moved([110, -26, 1, 70], oval([0, 0, 16, 58], '#4f9a4a')),
    ) +
    moved(
      [980, 620],
      rect([-34, -150, 68, 150], '#e8ded0', 10),
      line('M-16 -150 L-40 -250 M0 -150 L6 -270 M18 -150 L44 -240', '#a8743f', 12),
      oval([-42, -262, 16, 24], '#a8743f'),
      rect([-8, -300, 28, 44], '#8a5a30', 6),
    )
  )
}

export const foodScenes: readonly Scene[] = [
  {
    name: 'kitchen-pot',
    topics: ['kitchen', 'cooking', 'dinner', 'soup', 'food'],
    size: wide,
    draw: (size) => kitchen(size),
  },
  {
    name: 'pasta-bowl',
    topics: ['food', 'cooking', 'pasta', 'table'],
    size: square,
    draw: (size) => {
      const chance = createChance(31)
      const strands = times(70, () => {
        const [a, r] = [chance() * 6.28, chance() * 150]
        return line(
          `M${(500 + Math.cos(a) * r).toFixed(0)} ${(500 + Math.sin(a) * r).toFixed(0)}` +
            ` q${(chance() * 120 - 60).toFixed(0)} ${(chance() * 120 - 60).toFixed(0)}` +
            ` ${(chance() * 140 - 70).toFixed(0)} ${(chance() * 140 - 70).toFixed(0)}`,
          chance() < 0.5 ? '#f3c969' : '#e6b34c',
          13,
        )
      })
      return (
        boards(size, woods.walnut) +
        rect([620, 0, 300, 1000], '#e9e2d4') +
        rect([650, 0, 24, 1000], '#c95d4a') +
        plate([500, 500, 350], '#34495e') +
        within(
          'M500 500 m-240 0 a240 240 0 1 0 480 0 a240 240 0 1 0 -480 0',
          oval([500, 500, 230], '#e0a83e'),
          strands,
        ) +
        oval([490, 480, 106, 92], '#b8352a') +
        oval([520, 510, 70, 56], '#cf4a38') +
        [
          [470, 440],
          [540, 470],
          [490, 520],
          [440, 500],
        ]
          .map(([x = 0, y = 0]) => oval([x, y, 24], '#8c2f22'))
          .join('') +
        leaf([500, 480, 1, -20], '#3f9a52') +
        leaf([510, 480, 0.9, 50], '#55b066') +
        leaf([495, 485, 0.8, -90], '#2f7d42') +
        fork([120, 420, 1.3, 8]) +
        tomato([170, 840, 54]) +
        tomato([260, 890, 44]) +
        leaf([240, 830, 1.2, 40], '#3f9a52')
      )
    },
  },
  {
    name: 'pancakes',
    topics: ['food', 'breakfast', 'baking', 'morning', 'dessert', 'table', 'pancakes'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#fde3c8', '#f9cfa8'], floor: ['#d9a56c', '#b97f48'], from: 560 }) +
      table(size, { from: 560, wood: woods.birch }) +
      pane([760, 70, 330, 320], 'day') +
      moved(
        [520, 770],
        shadow([0, 20, 330, 40]),
        oval([0, 0, 330, 62], '#f8f4ec'),
        oval([0, -8, 260, 42], '#e9e3d6'),
        ...[0, 1, 2, 3, 4].map((row) =>
          moved(
            [(row % 2) * 12 - 6, -24 - row * 44],
            rect([-206, -30, 412, 50], '#d98e3f', 25),
            rect([-206, -36, 412, 36], '#f0b765', 18),
          ),
        ),
        shape(
          'M-150 -244 Q0 -270 150 -244 Q176 -236 160 -200 Q150 -120 120 -150 Q112 -200 80 -206 Q40 -214 ' +
            '10 -196 Q-10 -90 -46 -110 Q-60 -190 -100 -204 Q-120 -160 -150 -200 Q-180 -232 -150 -244 Z',
          '#a85420',
        ),
        rect([-56, -286, 100, 44], '#ffe9a8', 8),
        rect([-56, -286, 100, 16], '#fff5d0', 8),
        ...[
          [-200, -26],
          [-240, -10],
          [210, -24],
          [250, -6],
          [180, 0],
        ].map(([x = 0, y = 0], index) => oval([x, y, 24], index % 2 === 0 ? '#4a4f9c' : '#c73a4e')),
      ) +
      mug([960, 770, 1.1], '#4f8f9c') +
      moved(
        [170, 770, 1.1],
        shadow([0, 0, 60, 10]),
        shape('M-48 -150 L48 -150 L56 0 L-56 0 Z', '#ffffffb0'),
        shape('M-51 -100 L51 -100 L56 0 L-56 0 Z', '#f6a53a'),
      ),
  },
  {
    name: 'salad-lunch',
    topics: ['food', 'cooking', 'healthy', 'lunch', 'vegetables', 'table', 'basics'],
    size: square,
    draw: (size) => {
      const chance = createChance(8)
      const greens = times(60, (index) =>
        leaf(
          [
            500 + (chance() - 0.5) * 420,
            500 + (chance() - 0.5) * 420,
            1 + chance() * 0.6,
            chance() * 360,
          ],
          ['#4f9a4a', '#76b85a', '#9ccc6a', '#3b7d3f'][index % 4] ?? '',
        ),
      )
      const slices = [
        [400, 420],
        [600, 400],
        [620, 580],
        [420, 610],
      ].map(
        ([x = 0, y = 0]) =>
          oval([x, y, 50], '#e8f3d2') +
          oval([x, y, 44], '#c4e0a0') +
          times(6, (seed) =>
            oval([x + Math.cos(seed) * 22, y + Math.sin(seed) * 22, 4], '#f4fae6'),
          ),
      )
      return (
        boards(size, woods.white) +
        plate([500, 500, 370], '#e3d3bd') +
        within(
          'M500 500 m-300 0 a300 300 0 1 0 600 0 a300 300 0 1 0 -600 0',
          oval([500, 500, 300], '#5c8f44'),
          greens,
          ...slices,
          ...[
            [500, 350],
            [350, 510],
            [540, 650],
            [660, 480],
            [480, 500],
          ].map(([x = 0, y = 0]) => tomato([x, y, 40])),
          ...[
            [520, 450],
            [440, 540],
            [580, 520],
          ].map(([x = 0, y = 0]) => rect([x, y, 46, 40], '#fffaf0', 6)),
        ) +
        moved(
          [860, 860],
          oval([0, 0, 90], '#f2d23f'),
          oval([0, 0, 78], '#fff3b0'),
          ...[0, 60, 120].map((angle) => moved([0, 0, 1, angle], line('M0 -74 V74', '#f2d23f', 6))),
        ) +
        fork([90, 520, 1.2, -6])
      )
    },
  },
  {
    name: 'bread-loaf',
    topics: ['baking', 'bread', 'kitchen', 'morning', 'cooking', 'table'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#e7d5c4', '#d3b89c'], floor: ['#8b5a3a', '#6b4029'], from: 520 }) +
      table(size, { from: 520, wood: woods.walnut }) +
      oval([900, 200, 380], glow('#fff0cc', '#fff0cc00')) +
      rect([80, 150, 420, 22], '#7a5236') +
      [110, 210, 300, 400]
        .map((x, index) =>
          rect(
            [x, 150 - 90 - (index % 2) * 30, 70, 90 + (index % 2) * 30],
            ['#f4ead8', '#c96f4a', '#7fa08a', '#f4ead8'][index] ?? '',
            10,
          ),
        )
        .join('') +
      moved(
        [560, 730],
        shadow([0, 20, 360, 36]),
        rect([-380, -8, 780, 36], '#c99a67', 16),
        shape('M-300 -8 Q-320 -230 0 -240 Q320 -230 300 -8 Z', down('#d98b45', '#a85a26')),
        ...[-170, -60, 50, 160].map((x) =>
          moved(
            [x, -120, 1, 18],
            shape('M-16 -96 Q34 0 -16 96 Q-46 0 -16 -96 Z', '#f3d3a0'),
            line('M-16 -90 Q24 0 -16 90', '#8c4a20', 6),
          ),
        ),
        faded(
          0.7,
          times(30, (index) =>
            oval(
              [-250 + ((index * 83) % 500), -210 + ((index * 59) % 160), 3 + (index % 3)],
              '#fff6e6',
            ),
          ),
        ),
      ) +
      moved(
        [1010, 760],
        shadow([0, 0, 70, 10]),
        shape('M-70 -10 Q-60 -130 0 -130 Q60 -130 70 -10 Q0 16 -70 -10 Z', '#f6efe2'),
        rect([-34, -150, 68, 30], '#e2d6c2', 8),
        line('M-40 -124 H40', '#c95d4a', 6),
      ) +
      moved(
        [130, 790, 1, -12],
        ...[0, 1, 2].map((index) =>
          moved(
            [index * 34, 0, 1, index * 8],
            line('M0 0 Q-10 -120 6 -230', '#d9a94f', 6),
            ...[0, 1, 2, 3, 4].map((grain) =>
              oval([(grain % 2) * 20 - 6, -240 + grain * 22, 9, 17], '#e8bd62'),
            ),
          ),
        ),
      ),
  },
  {
    name: 'soup-evening',
    topics: ['food', 'cooking', 'dinner', 'soup', 'evening', 'table', 'restday'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#3a2230', '#6b3d33')) +
      oval([240, 340, 420], glow('#ffb86b66', '#ffb86b00')) +
      table(size, { from: 560, wood: woods.walnut }) +
      candle([230, 600, 1.5]) +
      candle([350, 620, 1.1]) +
      moved(
        [680, 700],
        shadow([0, 60, 300, 36]),
        shape('M-290 -70 Q-270 90 -110 104 L110 104 Q270 90 290 -70 Z', '#e9dcc6'),
        shape('M60 104 L110 104 Q270 90 290 -70 L210 -70 Q190 70 60 104 Z', '#00000018'),
        oval([0, -70, 290, 66], '#f7efe0'),
        oval([0, -66, 256, 52], '#e98a2e'),
        shape('M-120 -76 Q-30 -100 40 -74 T160 -62 Q60 -40 0 -58 T-120 -76 Z', '#fff1d2'),
        ...[
          [-60, -50],
          [80, -84],
          [20, -46],
        ].map(([x = 0, y = 0]) => leaf([x, y, 0.55, 60], '#4f9a4a')),
        blurred(
          7,
          faded(
            0.4,
            line('M-70 -150 q-30 -50 0 -100 q30 -50 0 -96', '#ffffff', 16),
            line('M50 -150 q-30 -46 0 -92 q30 -50 0 -100', '#ffffff', 16),
          ),
        ),
      ) +
      moved(
        [1050, 790, 1, -8],
        rect([-110, -26, 220, 52], '#c98a4a', 26),
        ...[-70, -20, 30].map((x) => line(`M${x} -22 l22 44`, '#f0cd96', 8)),
      ),
  },
  {
    name: 'birthday-cake',
    topics: ['dessert', 'baking', 'birthday', 'celebration', 'cake'],
    size: tall,
    draw: (size) =>
      rect([0, 0, ...size], down('#5a3d7a', '#c2608a', '#f7a28a')) +
      times(12, (index) =>
        moved(
          [70 + index * 70, 150 + Math.sin(index * 0.9) * 36],
          shape(
            'M-26 0 L26 0 L0 50 Z',
            ['#ffd23f', '#ff6b6b', '#4ecdc4', '#ffffff'][index % 4] ?? '',
          ),
        ),
      ) +
      line('M30 150 Q260 230 480 140 T880 170', '#ffffff90', 4) +
      table(size, { from: 860, wood: woods.white }) +
      moved(
        [450, 940],
        shadow([0, 30, 330, 40]),
        oval([0, 0, 330, 52], '#e7ddf0'),
        rect([-40, 0, 80, 60], '#d3c5e2'),
        rect([-260, -210, 520, 210], '#fff1e6', 20),
        rect([-190, -390, 380, 190], '#f9c6d3', 18),
        shape(
          'M-260 -190 Q-260 -224 -230 -224 L230 -224 Q260 -224 260 -190 Q250 -130 222 -164 Q200 -196 ' +
            '176 -160 Q150 -110 120 -158 Q92 -196 60 -154 Q30 -112 0 -158 Q-30 -196 -64 -150 Q-90 -116 ' +
            '-120 -160 Q-150 -196 -180 -150 Q-220 -110 -260 -190 Z',
          '#e8698f',
        ),
        shape(
          'M-190 -372 Q-190 -404 -164 -404 L164 -404 Q190 -404 190 -372 Q176 -320 150 -352 Q126 -380 ' +
            '100 -344 Q70 -306 40 -350 Q10 -384 -20 -346 Q-50 -310 -84 -350 Q-110 -380 -136 -344 Q-170 ' +
            '-320 -190 -372 Z',
          '#fffaf4',
        ),
        ...[-120, -60, 0, 60, 120].map((x, index) =>
          candle([x, -396, 0.72], ['#4ecdc4', '#ffd23f', '#ff6b6b', '#ffd23f', '#4ecdc4'][index]),
        ),
        times(16, (index) =>
          oval(
            [-230 + index * 31, -40 - (index % 3) * 24, 8],
            ['#ffd23f', '#4ecdc4', '#e8698f'][index % 3] ?? '',
          ),
        ),
      ),
  },
  {
    name: 'coffee-window',
    topics: ['coffee', 'morning', 'breakfast', 'home', 'cafe', 'table', 'restday'],
    size: tall,
    draw: (size) =>
      room(size, { wall: ['#f3dfcf', '#e8c9b0'], floor: ['#b97f48', '#93602f'], from: 830 }) +
      pane([210, 110, 480, 560], 'dawn') +
      curtain([60, 70, 150, 720], ['#d98d7a', '#c67a68']) +
      curtain([690, 70, 150, 720], ['#d98d7a', '#c67a68']) +
      table(size, { from: 830, wood: woods.oak }) +
      moved(
        [410, 1000],
        shadow([0, 14, 220, 26]),
        oval([0, 0, 220, 38], '#fbf6ee'),
        oval([0, -6, 150, 24], '#e6dccd'),
      ) +
      mug([400, 990, 1.9], '#fbf6ee') +
      moved(
        [700, 1060],
        shadow([0, 16, 140, 22]),
        oval([0, 0, 150, 32], '#e9e2d6'),
        shape(
          'M-120 -6 Q-110 -90 0 -94 Q110 -90 120 -6 Q70 -34 0 -30 Q-70 -34 -120 -6 Z',
          '#d98f3f',
        ),
        ...[-60, -14, 34].map((x) => line(`M${x} -86 q16 26 4 54`, '#a8622a', 7)),
      ),
  },
  {
    name: 'coffee-latte',
    topics: ['coffee', 'morning', 'cafe', 'work', 'table'],
    size: square,
    draw: (size) =>
      boards(size, woods.oak) +
      plate([520, 520, 300], '#dfe7ea') +
      blurred(10, faded(0.3, oval([534, 540, 206], '#2a1810'))) +
      moved(
        [720, 430, 1, -30],
        rect([0, -34, 150, 68], '#f7fafa', 34),
        rect([22, -14, 96, 28], '#dfe7ea', 14),
      ) +
      oval([520, 520, 202], '#f7fafa') +
      oval([520, 520, 180], '#8a5530') +
      oval([520, 520, 172], '#b97a45') +
      moved(
        [520, 560],
        shape(
          'M0 90 C-150 0 -120 -130 -40 -120 C-16 -116 0 -96 0 -80 C0 -96 16 -116 40 -120 C120 -130 150 0 0 90 Z',
          '#fbeedd',
        ),
        shape(
          'M0 52 C-90 -8 -74 -84 -26 -78 C-8 -74 0 -60 0 -50 C0 -60 8 -74 26 -78 C74 -84 90 -8 0 52 Z',
          '#c98d58',
        ),
        shape(
          'M0 22 C-42 -16 -34 -50 -12 -46 C-4 -44 0 -36 0 -32 C0 -36 4 -44 12 -46 C34 -50 42 -16 0 22 Z',
          '#fbeedd',
        ),
      ) +
      moved(
        [190, 760, 1, 20],
        rect([-130, -180, 260, 340], '#3f6b7a', 8),
        rect([-130, -180, 34, 340], '#2f525e', 8),
        rect([-60, -110, 150, 60], '#f4ead6', 4),
      ) +
      moved(
        [860, 840],
        ...[
          [0, 0],
          [50, 30],
          [-40, 44],
          [20, 76],
        ].map(([x = 0, y = 0], index) =>
          moved(
            [x, y, 1, index * 50],
            oval([0, 0, 26, 18], '#4a2a18'),
            line('M-22 0 Q0 8 22 0', '#2a160c', 4),
          ),
        ),
      ),
  },
  {
    name: 'market-fruit',
    topics: ['market', 'healthy', 'city', 'fruit', 'vegetables'],
    size: wide,
    draw: (size) => {
      const fruit = ['#e2483a', '#f2a23a', '#8fbf4a', '#f2d23f', '#8a4a9c'] as const
      const crates = times(5, (column) =>
        moved(
          [30 + column * 236, 500],
          times(4, (row) =>
            times(
              5,
              (place) =>
                oval([28 + place * 40 + (row % 2) * 18, 24 + row * 34, 25], fruit[column] ?? '') +
                oval([20 + place * 40 + (row % 2) * 18, 16 + row * 34, 6], '#ffffff70'),
            ),
          ),
          rect([-10, 120, 232, 90], '#b98550', 4),
          rect([-10, 150, 232, 6], '#8a5d34'),
          rect([-10, 180, 232, 6], '#8a5d34'),
        ),
      )
      const awning = times(12, (index) =>
        shape(
          `M${index * 100} 60 h100 v150 q-50 60 -100 0 Z`,
          index % 2 === 0 ? '#2f8f83' : '#fdf6e6',
        ),
      )
      return (
        rect([0, 0, ...size], down('#f7e3c0', '#f0cfa0')) +
        rect([0, 0, 1200, 70], '#5a3d2e') +
        awning +
        [240, 600, 960]
          .map(
            (x) =>
              line(`M${x} 60 V340`, '#5a3d2e', 4) +
              oval([x, 360, 110], glow('#fff0b8', '#fff0b800')) +
              oval([x, 356, 24], '#fff0b8'),
          )
          .join('') +
        crates +
        rect([0, 714, 1200, 186], down('#8a5d34', '#6b4526')) +
        [80, 320, 560, 800, 1040]
          .map((x, index) =>
            moved(
              [x, 690, 1, index % 2 === 0 ? -3 : 3],
              rect([0, 0, 100, 60], '#2f3438', 4),
              line('M20 24 h60 M30 42 h40', '#fdf6e6', 5),
            ),
          )
          .join('')
      )
    },
  },
]
