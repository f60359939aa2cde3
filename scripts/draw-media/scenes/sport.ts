import { beam, curtain, pane, pottedPlant, room } from '../indoors.ts'
import { cloud, hills, pine, sky, sun, tree } from '../outdoors.ts'
import { square, tall, wide } from '../scene.ts'
import type { Scene } from '../scene.ts'
import { down, faded, glow, line, moved, oval, rect, shadow, shape, times } from '../svg.ts'

function dumbbell([x, y, scale]: readonly [number, number, number], colour = '#2f3640'): string {
  return moved(
    [x, y, scale],
    rect([-100, -12, 200, 24], '#aab2ba', 8),
    ...[-1, 1].map(
      (side) =>
        rect([side < 0 ? -130 : 60, -60, 70, 120], colour, 14) +
        rect([side < 0 ? -158 : 130, -40, 28, 80], '#20252c', 8),
    ),
  )
}

export function kettlebell(
  [x, y, scale]: readonly [number, number, number],
  colour: string,
): string {
  return moved(
    [x, y, scale],
    shadow([6, 0, 110, 14]),
    `<path d="M-56 -150 Q-70 -240 0 -244 Q70 -240 56 -150" fill="none" stroke="#2f3640" stroke-width="28"/>`,
    oval([0, -92, 108, 96], colour),
    oval([-34, -126, 28, 20], '#ffffff40'),
    oval([0, -92, 44], '#ffffff28'),
    rect([-60, -8, 120, 10], '#00000040', 5),
  )
}

/** A running shoe that stands at the point, its tip to the right. */
export function shoe(
  [x, y, scale, angle = 0]: readonly [number, number, number, number?],
  [colour, accent]: readonly [string, string],
): string {
  return moved(
    [x, y, scale, angle],
    shadow([0, 4, 220, 14]),
    shape(
      'M-200 -170 Q-190 -120 -130 -140 Q-80 -190 -40 -190 Q20 -110 110 -96 Q206 -80 206 -34 L-206 -34 Q-214 -110 -200 -170 Z',
      colour,
    ),
    shape('M-206 -40 L206 -40 Q218 0 180 0 L-190 0 Q-216 -4 -206 -40 Z', '#ffffff'),
    rect([-206, -12, 400, 12], accent, 6),
    shape('M-110 -40 Q-30 -70 60 -104 L100 -98 Q20 -60 -40 -40 Z', accent),
    ...[0, 1, 2, 3].map((row) =>
      line(`M${-36 + row * 32} ${-176 + row * 26} l-34 28`, '#ffffff', 8),
    ),
  )
}

/** A bicycle whose wheels stand on the point; `turn` turns the wheels, degrees. */
export function bicycle(
  [x, y, scale]: readonly [number, number, number],
  colour = '#d94f3d',
  turn = 0,
): string {
  const wheel = (cx: number) =>
    `<circle cx="${cx}" cy="-110" r="104" fill="none" stroke="#22252b" stroke-width="13"/><circle ` +
    `cx="${cx}" cy="-110" r="94" fill="none" stroke="#c3c9cf" stroke-width="4"/>` +
    moved(
      [cx, -110, 1, turn],
      times(8, (spoke) =>
        line(
          `M0 0 L${(Math.cos(spoke * 0.785) * 92).toFixed(1)} ${(Math.sin(spoke * 0.785) * 92).toFixed(1)}`,
          '#a7adb588',
          2,
        ),
      ),
      oval([0, 0, 10], '#4a4550'),
    )
  return moved(
    [x, y, scale],
    shadow([0, 0, 300, 14]),
    wheel(-190),
    wheel(190),
    line(
      'M-190 -110 L-70 -260 L100 -260 L-20 -110 Z M-70 -260 L-20 -110 M-84 -300 L-20 -110',
      colour,
      15,
    ),
    line('M190 -110 L98 -310', colour, 13),
    line('M98 -312 L140 -338 Q176 -344 170 -308', '#22252b', 13),
    rect([-140, -318, 104, 24], '#22252b', 12),
    moved(
      [-20, -110, 1, turn],
      oval([0, 0, 30], '#4a4550'),
      line('M0 0 L0 56', '#22252b', 9),
      rect([-20, 52, 40, 12], '#22252b', 5),
      line('M0 0 L0 -56', '#22252b', 9),
      rect([-20, -64, 40, 12], '#22252b', 5),
    ),
  )
}

export function yogaFigure([x, y, scale]: readonly [number, number, number]): string {
  return moved(
    [x, y, scale],
    shadow([0, 0, 180, 14]),
    shape(
      'M-190 -20 Q-160 -90 -30 -80 L30 -80 Q160 -90 190 -20 Q100 10 0 -10 Q-100 10 -190 -20 Z',
      '#2f5f6b',
    ),
    shape('M-62 -70 Q-76 -200 -46 -250 L46 -250 Q76 -200 62 -70 Z', '#e8795a'),
    line('M-50 -236 Q-130 -170 -128 -70 M50 -236 Q130 -170 128 -70', '#d9a07a', 28),
    rect([-17, -290, 34, 50], '#d9a07a'),
    oval([0, -320, 46, 52], '#d9a07a'),
    shape(
      'M-48 -310 Q-60 -384 0 -384 Q60 -384 48 -310 Q40 -350 0 -350 Q-40 -350 -48 -310 Z',
      '#4a2a1e',
    ),
    oval([0, -394, 26], '#4a2a1e'),
  )
}

export const sportScenes: readonly Scene[] = [
  {
    name: 'gym-dumbbells',
    topics: ['gym', 'training', 'workout', 'strength'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#5a6675', '#454f5c'], floor: ['#2f353d', '#22272d'], from: 640 }) +
      rect([70, 90, 460, 420], '#7f8c9a', 6) +
      rect([86, 106, 428, 388], down('#a3b1be', '#7d8b99')) +
      shape('M120 494 L300 106 L380 106 L200 494 Z', '#ffffff28') +
      faded(0.9, rect([620, 120, 500, 10], '#f2a23a'), rect([620, 146, 320, 10], '#f2a23a')) +
      moved(
        [600, 690],
        shadow([0, 140, 520, 24]),
        rect([-520, -170, 26, 320], '#1a1d22', 6),
        rect([494, -170, 26, 320], '#1a1d22', 6),
        rect([-530, -110, 1060, 22], '#3a4048', 6),
        rect([-530, 40, 1060, 22], '#3a4048', 6),
        ...[0, 1, 2].map((index) =>
          dumbbell([-340 + index * 340, -160, 0.98], ['#e2603c', '#2f8f83', '#e9b44c'][index]),
        ),
        ...[0, 1, 2].map((index) =>
          dumbbell([-340 + index * 340, -16, 1.05], ['#3f6b9c', '#2f3640', '#c73a4e'][index]),
        ),
      ),
  },
  {
    name: 'kettlebell-mat',
    topics: ['gym', 'training', 'workout', 'home', 'mobility'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#f4e3d3', '#ecd0ba'], floor: ['#d9a56c', '#b97f48'], from: 600 }) +
      pane([110, 80, 320, 360], 'dawn') +
      beam('M110 80 L430 80 L900 900 L360 900 Z') +
      pottedPlant([1060, 690, 1.5]) +
      shape('M180 720 L900 690 L1060 830 L140 870 Z', '#4f8f9c') +
      shape('M140 870 L1060 830 L1060 846 L142 888 Z', '#3b717d') +
      oval([170, 790, 30, 82], '#3b717d') +
      kettlebell([640, 770, 1.05], '#e2603c') +
      kettlebell([840, 800, 0.78], '#2f3640') +
      moved(
        [420, 800],
        rect([-40, -150, 80, 150], '#7fd0dc', 22),
        rect([-26, -186, 52, 44], '#2f3640', 10),
        rect([-40, -100, 80, 26], '#ffffff90'),
      ),
  },
  {
    name: 'yoga-morning',
    topics: ['yoga', 'training', 'morning', 'selfcare', 'stretching', 'mobility'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#f7e3dc', '#f0cdc2'], floor: ['#e0b98a', '#c99a67'], from: 660 }) +
      pane([380, 70, 440, 440], 'dawn') +
      oval([600, 470, 180], glow('#fff1c2', '#fff1c200')) +
      curtain([250, 50, 120, 540], ['#fffaf2', '#f3e6d8']) +
      curtain([830, 50, 120, 540], ['#fffaf2', '#f3e6d8']) +
      pottedPlant([140, 760, 1.4], { pot: '#e9dfd0' }) +
      pottedPlant([1080, 750, 1.1]) +
      shape('M260 800 L940 800 L1040 872 L160 872 Z', '#8a6fa8') +
      yogaFigure([600, 826, 1.2]),
  },
  {
    name: 'running-shoes',
    topics: ['running', 'training', 'morning', 'sport', 'shoes', 'kit', 'run'],
    size: wide,
    draw: (size) =>
      sky('dawn', size) +
      sun([880, 330, 60]) +
      hills(size, { base: 450, rise: 60, turn: 1.1, fill: '#7a6ba8' }) +
      hills(size, { base: 520, rise: 40, turn: 3, fill: '#4f5a94' }) +
      rect([0, 540, 1200, 360], down('#c9503f', '#a83a32')) +
      [0, 1, 2, 3]
        .map((index) =>
          shape(
            `M${-200 + index * 420} 900 L${330 + index * 180} 540 L${342 + index * 180} 540 L${-170 + index * 420} 900 Z`,
            '#ffffffc0',
          ),
        )
        .join('') +
      shoe([420, 760, 1.15], ['#2f8fb0', '#f2d23f']) +
      shoe([760, 820, 1.15, -4], ['#2f8fb0', '#f2d23f']),
  },
  {
    name: 'park-run',
    topics: [
      'running',
      'walk',
      'training',
      'summer',
      'trail',
      'run',
      'clubrun',
      'spring',
      'autumn',
    ],
    size: wide,
    draw: (size) =>
      sky('day', size) +
      cloud([240, 150, 1]) +
      cloud([820, 110, 0.8]) +
      times(9, (index) => rect([index * 140, 300 - ((index * 67) % 120), 110, 300], '#a9c4d6')) +
      hills(size, { base: 520, rise: 26, turn: 2, fill: '#8cc47a' }) +
      [90, 330, 960, 1130]
        .map((x, index) => tree([x, 570 + (index % 2) * 20, 1.3], ['#3f8f5b', '#62b578']))
        .join('') +
      rect([0, 570, 1200, 330], down('#7ab868', '#4f9149')) +
      shape('M0 760 Q500 640 1200 720 L1200 830 Q520 760 0 890 Z', '#ead9b4') +
      moved(
        [620, 740, 1.1],
        shadow([10, 40, 120, 12]),
        oval([24, -262, 30], '#a86f4a'),
        shape('M-8 -280 Q20 -304 50 -284 Q58 -264 50 -254 Q30 -276 -6 -256 Z', '#2a1a14'),
        line('M-8 -270 Q-50 -280 -64 -250', '#2a1a14', 14),
        shape('M-30 -230 Q10 -246 46 -222 L30 -110 L-40 -110 Z', '#f25f8a'),
        line('M36 -214 L86 -160 L120 -196 M-20 -214 L-84 -180 L-110 -120', '#a86f4a', 22),
        line('M-6 -110 L56 -40 L20 36', '#2f3a55', 34),
        line('M-20 -112 L-70 -40 L-150 -20', '#2f3a55', 34),
        line('M16 38 L60 38', '#f2d23f', 24),
        line('M-152 -24 L-166 16', '#f2d23f', 24),
      ),
  },
  {
    name: 'training-plan',
    topics: ['training', 'coaching', 'planning', 'gym', 'healthy', 'notebook', 'plan'],
    size: square,
    draw: (size) =>
      rect([0, 0, ...size], down('#dfeae4', '#c3d6cc')) +
      moved(
        [470, 520, 1, -5],
        shadow([20, 340, 320, 50]),
        rect([-300, -390, 600, 780], '#a8743f', 20),
        rect([-270, -350, 540, 710], '#fdfaf2', 6),
        rect([-110, -430, 220, 80], '#8a929a', 14),
        oval([0, -414, 20], '#5c656e'),
        rect([-230, -310, 260, 34], '#2f5f6b', 6),
        ...[0, 1, 2, 3, 4, 5].map(
          (row) =>
            rect([-230, -236 + row * 92, 46, 46], '#ffffff', 8) +
            `<rect x="-230" y="${-236 + row * 92}" width="46" height="46" rx="8" fill="none" stroke="#2f5f6b" stroke-width="6"/>` +
            (row < 4 ? line(`M-220 ${-214 + row * 92} l14 16 l28 -40`, '#e2603c', 10) : '') +
            rect([-160, -228 + row * 92, 240 + ((row * 57) % 120), 14], '#7f9aa5', 7) +
            rect([-160, -206 + row * 92, 150 + ((row * 43) % 120), 10], '#c3d0d6', 5),
        ),
      ) +
      dumbbell([840, 800, 0.95], '#e2603c') +
      moved(
        [860, 300],
        shadow([0, 110, 70, 16]),
        shape('M-60 -120 L60 -120 L48 110 L-48 110 Z', '#ffffffb0'),
        shape('M-54 -50 L54 -50 L48 110 L-48 110 Z', '#8fd06a'),
        line('M20 -120 L50 -240', '#e2603c', 12),
      ),
  },
  {
    name: 'bike-sunset',
    topics: ['bike', 'cycling', 'evening', 'travel'],
    size: wide,
    draw: (size) =>
      sky('dusk', size) +
      sun([760, 470, 92], '#ffe3a1') +
      hills(size, { base: 560, rise: 80, turn: 0.9, fill: '#8a4a78' }) +
      hills(size, { base: 640, rise: 60, turn: 2.7, fill: '#5a3266' }) +
      rect([0, 700, 1200, 200], down('#3a2250', '#241538')) +
      rect([0, 760, 1200, 6], '#fcc26a66') +
      bicycle([440, 780, 1.35], '#ffb35c'),
  },
  {
    name: 'bike-wall',
    topics: ['bike', 'cycling', 'city', 'cafe'],
    size: wide,
    draw: () =>
      rect([0, 0, 1200, 700], down('#e9b48a', '#dd9c6e')) +
      times(9, (row) =>
        times(12, (column) =>
          rect(
            [column * 110 + (row % 2) * 55 - 50, row * 78, 104, 72],
            (column * 3 + row) % 7 === 0 ? '#d08a5a' : '#e4a878',
            3,
          ),
        ),
      ) +
      rect([0, 690, 1200, 210], down('#a59a92', '#867b74')) +
      pane([760, 120, 280, 330], 'day', '#2f5f6b') +
      moved(
        [760, 486],
        rect([0, 0, 280, 60], '#7a5236', 6),
        times(12, (flower) =>
          oval(
            [14 + flower * 23, -12 - (flower % 3) * 14, 19],
            ['#f25f5c', '#f7b4ca', '#4f9150'][flower % 3] ?? '',
          ),
        ),
      ) +
      bicycle([420, 780, 1.45], '#2f8f83') +
      moved(
        [634, 330],
        shape('M-70 0 L70 0 L54 90 L-54 90 Z', '#b98550'),
        ...[-34, 0, 34].map(
          (x) => oval([x, -20, 32], '#f7b4ca') + oval([x + 14, -44, 26], '#ffffff'),
        ),
      ),
  },
  {
    name: 'mountain-bike',
    topics: ['bike', 'cycling', 'mountains', 'autumn'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#cfe0d8', '#eef2d8')) +
      hills(size, { base: 420, rise: 90, turn: 1, fill: '#a3c2ac' }) +
      times(14, (index) =>
        pine(
          [index * 96 - 20, 560 - ((index * 41) % 60), 1.3],
          index % 2 === 0 ? '#4f8068' : '#3f6b58',
        ),
      ) +
      shape('M0 600 Q300 520 640 640 T1200 700 L1200 900 L0 900 Z', down('#9a7048', '#6b4a2e')) +
      pine([80, 700, 2.8], '#2b4a3c') +
      pine([1130, 740, 3], '#2b4a3c') +
      moved(
        [560, 720, 1, 9],
        bicycle([0, 0, 0.98], '#2f8fc0', 20),
        line('M-70 -320 Q10 -440 60 -420 L136 -330', '#e9b44c', 42),
        line('M-66 -316 L20 -230 L-6 -90', '#2f3a55', 34),
        oval([76, -474, 38], '#e0a87f'),
        shape('M28 -480 Q34 -534 84 -530 Q126 -524 122 -476 Z', '#e2603c'),
      ) +
      times(16, (index) =>
        oval([300 + index * 9, 720 + ((index * 37) % 50), 6 + (index % 4) * 3], '#8a6444'),
      ),
  },
  {
    name: 'pool-lane',
    topics: ['swimming', 'training', 'sport', 'pool'],
    size: tall,
    draw: (size) =>
      rect([0, 0, ...size], down('#3fc0d6', '#1f8fc0')) +
      times(46, (index) =>
        faded(
          0.35,
          line(`M${(index * 211) % 900} ${(index * 97) % 1200} q40 -22 80 0 t80 0`, '#dffaff', 7),
        ),
      ) +
      [180, 720]
        .map((x) =>
          times(30, (index) =>
            rect([x - 16, index * 42, 32, 36], index % 2 === 0 ? '#e2483a' : '#fdf6e6', 14),
          ),
        )
        .join('') +
      rect([420, 0, 60, 1200], '#1566a022') +
      moved(
        [450, 640],
        faded(0.4, shape('M-120 120 Q0 60 120 120 L90 420 Q0 470 -90 420 Z', '#ffffff')),
        line('M-60 -40 Q-170 -90 -150 -240 M60 -40 Q150 30 170 150', '#d9a07a', 44),
        shape('M-84 -40 Q0 -90 84 -40 L64 210 L-64 210 Z', '#1f3a6b'),
        line('M-34 200 L-50 400 M34 200 L50 400', '#d9a07a', 44),
        oval([0, -110, 62, 70], '#e2603c'),
        rect([-64, -110, 128, 14], '#22252b'),
      ),
  },
]
