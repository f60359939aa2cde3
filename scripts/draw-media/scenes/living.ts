import { framed, mug, pane, pottedPlant, room, table, woods } from '../indoors.ts'
import { cloud, hills, skies, sky, stars, sun, tree } from '../outdoors.ts'
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

/**
 * A cat that sits, seen from behind or from the front; its seat is the point. `swish` turns the
 * tail, degrees.
 */
export function cat(
  [x, y, scale]: readonly [number, number, number],
  { coat = '#e08a3c', belly = '#fbe6cc', isBack = false, swish = 0 } = {},
): string {
  const tail = moved([90, -30, 1, swish], line('M0 0 Q110 10 120 -90 Q124 -130 96 -140', coat, 34))
  const face = isBack
    ? ''
    : oval([-32, -250, 13, 16], '#2a2018') +
      oval([32, -250, 13, 16], '#2a2018') +
      oval([-28, -255, 4], '#ffffff') +
      oval([36, -255, 4], '#ffffff') +
      shape('M-10 -226 L10 -226 L0 -214 Z', '#d9705a') +
      line('M0 -214 Q-10 -200 -22 -206 M0 -214 Q10 -200 22 -206', '#2a2018', 4) +
      line(
        'M-50 -222 L-104 -232 M-50 -212 L-104 -206 M50 -222 L104 -232 M50 -212 L104 -206',
        '#fff6e6',
        3,
      )
  return moved(
    [x, y, scale],
    shadow([10, 0, 140, 16]),
    tail,
    shape('M-110 0 Q-120 -150 -50 -210 L50 -210 Q120 -150 110 0 Q0 16 -110 0 Z', coat),
    isBack ? '' : shape('M-54 0 Q-60 -130 0 -150 Q60 -130 54 0 Z', belly),
    isBack ? '' : oval([-50, -8, 36, 20], belly) + oval([50, -8, 36, 20], belly),
    shape('M-84 -270 L-78 -364 L-24 -320 Z M84 -270 L78 -364 L24 -320 Z', coat),
    isBack ? '' : shape('M-70 -296 L-68 -340 L-40 -316 Z M70 -296 L68 -340 L40 -316 Z', '#f4b8a0'),
    oval([0, -250, 92, 80], coat),
    face,
    ...[-26, 0, 26].map((left) => line(`M${left} -326 L${left * 0.8} -296`, '#00000030', 9)),
  )
}

/** A dog that sits and looks ahead; its seat is the point. */
export function dog(
  [x, y, scale]: readonly [number, number, number],
  [coat, ear, belly]: readonly [string, string, string],
  wag = 0,
): string {
  return moved(
    [x, y, scale],
    shadow([0, 0, 150, 16]),
    moved([100, -50, 1, wag], line('M0 0 Q70 -20 86 -90', coat, 30)),
    shape('M-110 0 Q-130 -140 -60 -220 L60 -220 Q130 -140 110 0 Q0 14 -110 0 Z', coat),
    shape('M-54 -10 Q-64 -150 0 -190 Q64 -150 54 -10 Z', belly),
    oval([-60, -8, 42, 22], coat),
    oval([60, -8, 42, 22], coat),
    oval([0, -290, 104, 96], coat),
    shape('M-90 -350 Q-160 -330 -146 -220 Q-110 -190 -84 -260 Z', ear),
    shape('M90 -350 Q160 -330 146 -220 Q110 -190 84 -260 Z', ear),
    oval([0, -256, 58, 48], belly),
    oval([0, -276, 24, 17], '#2a2018'),
    oval([-40, -312, 13, 15], '#2a2018'),
    oval([40, -312, 13, 15], '#2a2018'),
    oval([-36, -316, 4], '#ffffff'),
    oval([44, -316, 4], '#ffffff'),
    line('M0 -260 V-244 Q-16 -228 -30 -238 M0 -244 Q16 -228 30 -238', '#2a2018', 5),
    shape('M-15 -232 Q0 -176 15 -232 Z', '#e8698f'),
    rect([-66, -214, 132, 22], '#c73a4e', 11),
    oval([0, -190, 16], '#f2d23f'),
  )
}

function skyline(
  [width, height]: readonly [number, number],
  { base, fill, seed, lit }: { base: number; fill: string; seed: number; lit?: string },
): string {
  const chance = createChance(seed)
  let left = -20
  let houses = ''
  while (left < width) {
    const w = 60 + chance() * 90
    const h = 120 + chance() * 300
    houses += rect([left, base - h, w - 4, h + height - base], fill)
    if (chance() < 0.3) houses += rect([left + w / 2 - 3, base - h - 50, 6, 50], fill)
    if (lit !== undefined)
      for (let row = 0; row < h / 34 - 1; row += 1)
        for (let column = 0; column < w / 26 - 1; column += 1)
          if (chance() < 0.5)
            houses += rect([left + 12 + column * 25, base - h + 18 + row * 34, 12, 17], lit)
    left += w
  }
  return houses
}

/** A city by night; `time` from 0 to 1 moves its cars and lights. */
export function nightCity(size: readonly [number, number], time = 0): string {
  const [width, height] = size
  const cars = times(7, (index) => {
    const way = index % 2 === 0 ? 1 : -1
    const place = (((index * 0.31 + time * way * (1 + (index % 3) * 0.5)) % 1) + 1) % 1
    const x = place * (width + 200) - 100
    const y = height * (way > 0 ? 0.955 : 0.905)
    return (
      rect([x - 46, y - 22, 92, 22], '#12101f', 9) +
      rect([x - 28, y - 38, 56, 20], '#12101f', 9) +
      oval([x + way * 48, y - 10, 40, 13], glow('#fff3c0', '#fff3c000')) +
      oval([x - way * 48, y - 10, 8, 5], '#ff4a4a')
    )
  })
  return (
    rect([0, 0, width, height], down('#0d1035', '#3a2468', '#c2507e')) +
    moved([0, 0], stars(70, [width, height * 0.4], 3)) +
    oval([width * 0.78, height * 0.2, 46], '#fdf0d0') +
    skyline([width, height], { base: height * 0.82, fill: '#4a2f74', seed: 4 }) +
    skyline([width, height], { base: height * 0.86, fill: '#241a4c', seed: 11, lit: '#ffd27ac0' }) +
    skyline([width, height], { base: height * 0.98, fill: '#120e2c', seed: 23, lit: '#ffe6a8' }) +
    rect([0, height * 0.86, width, height * 0.14], '#1c1836') +
    rect([0, height * 0.925, width, 4], '#f2d23f66') +
    cars
  )
}

export const livingScenes: readonly Scene[] = [
  {
    name: 'cat-window',
    topics: ['cat', 'pets', 'home', 'morning', 'rain'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#f0dcd0', '#e3c4b2')) +
      pane([340, 60, 520, 560], 'day') +
      rect([240, 640, 720, 40], '#fbf6ee', 6) +
      cat([600, 640, 1.25], { isBack: true, coat: '#6b6f7d' }) +
      pottedPlant([320, 640, 0.9]) +
      table(size, { from: 800, wood: woods.oak }) +
      moved(
        [1040, 800],
        shadow([0, 0, 90, 12]),
        oval([0, -60, 70], '#e8698f'),
        line(
          'M-60 -80 Q0 -20 60 -80 M-66 -50 Q0 10 62 -40 M-30 -120 Q30 -60 -20 0 M60 -30 Q120 10 170 -6',
          '#c74a72',
          5,
        ),
      ),
  },
  {
    name: 'cat-sofa',
    topics: ['cat', 'pets', 'home', 'cosy', 'sofa', 'restday'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#dfeae4', '#c9dcd2'], floor: ['#c99a67', '#a97a4c'], from: 700 }) +
      framed(
        [160, 90, 180, 220],
        oval([250, 200, 60], '#e9b44c') +
          shape('M160 310 L160 260 Q250 200 340 270 L340 310 Z', '#3f8f8a'),
      ) +
      pottedPlant([1100, 760, 1.3]) +
      moved(
        [600, 790],
        shadow([0, 0, 470, 24]),
        rect([-450, -400, 900, 300], '#3f6b9c', 60),
        rect([-380, -210, 380, 140], '#4f80b5', 36),
        rect([0, -210, 380, 140], '#4f80b5', 36),
        rect([-500, -290, 120, 270], '#355c88', 50),
        rect([380, -290, 120, 270], '#355c88', 50),
        rect([-450, -90, 900, 70], '#355c88', 24),
        rect([-420, -22, 26, 30], '#5a3826'),
        rect([394, -22, 26, 30], '#5a3826'),
      ) +
      moved([330, 580, 1, 14], rect([-80, -80, 160, 160], '#e9b44c', 30)) +
      cat([680, 592, 1.05]),
  },
  {
    name: 'dog-park',
    topics: ['dog', 'pets', 'walk', 'summer'],
    size: wide,
    draw: (size) =>
      sky('day', size) +
      cloud([220, 170, 1.1]) +
      cloud([950, 120, 0.8]) +
      hills(size, { base: 460, rise: 50, turn: 0.5, fill: '#9ad08a' }) +
      tree([150, 590, 1.7], ['#3f8f5b', '#62b578']) +
      tree([1080, 570, 1.4], ['#4f9a5a', '#78c07a']) +
      hills(size, { base: 560, rise: 24, turn: 2.4, fill: '#6fb35c' }) +
      shape('M0 760 Q600 660 1200 780 L1200 900 L0 900 Z', '#569a4c') +
      dog([600, 800, 1.3], ['#d9a05a', '#a86a34', '#fbeedd']) +
      moved(
        [850, 800],
        shadow([0, 0, 40, 8]),
        oval([0, -34, 36], '#cfe04a'),
        line('M-30 -50 Q0 -30 -6 0 M30 -18 Q4 -40 16 -66', '#ffffff', 5),
      ) +
      times(20, (index) =>
        oval(
          [(index * 211) % 1200, 720 + ((index * 83) % 170), 7],
          index % 2 === 0 ? '#ffffff' : '#ffd23f',
        ),
      ),
  },
  {
    name: 'city-night',
    topics: ['city', 'night', 'travel', 'evening', 'gig'],
    size: wide,
    draw: (size) => nightCity(size, 0.2),
  },
  {
    name: 'city-umbrellas',
    topics: ['city', 'rain', 'walk', 'clubrun'],
    size: tall,
    draw: (size) =>
      rect([0, 0, ...size], down('#7d90a8', '#b9c4cc')) +
      rect([-20, 120, 300, 760], '#5c6a80') +
      rect([640, 60, 300, 820], '#4f5c72') +
      times(6, (row) =>
        times(
          3,
          (column) =>
            rect(
              [20 + column * 86, 170 + row * 104, 50, 66],
              (row + column) % 3 === 0 ? '#ffe3a1' : '#3f4a5e',
            ) +
            rect(
              [670 + column * 80, 120 + row * 110, 46, 70],
              (row * 2 + column) % 4 === 0 ? '#ffe3a1' : '#38435a',
            ),
        ),
      ) +
      rect([0, 870, 900, 330], down('#5a6474', '#3a4250')) +
      times(30, (index) =>
        faded(0.3, oval([(index * 173) % 900, 900 + ((index * 97) % 290), 60, 4], '#ffe9c0')),
      ) +
      moved(
        [300, 1020, 1.05],
        faded(0.3, oval([0, 24, 120, 14], '#e2483a')),
        rect([-30, -140, 60, 150], '#2f3a55'),
        shape('M-60 -300 Q0 -330 60 -300 L70 -120 L-70 -120 Z', '#d9c27a'),
        line('M20 -260 L60 -400', '#2a2018', 8),
        shape(
          'M-130 -390 Q60 -600 250 -390 Q200 -420 150 -390 Q105 -420 60 -390 Q15 -420 -35 -390 Q-80 -420 -130 -390 Z',
          '#e2483a',
        ),
      ) +
      moved(
        [620, 960, 0.85],
        rect([-30, -140, 60, 150], '#2a2832'),
        shape('M-56 -300 Q0 -330 56 -300 L66 -110 L-66 -110 Z', '#4f6b9c'),
        line('M-20 -260 L-50 -400', '#2a2018', 8),
        shape(
          'M-230 -390 Q-50 -580 130 -390 Q85 -415 40 -390 Q-5 -415 -50 -390 Q-95 -415 -140 -390 Q-185 -415 -230 -390 Z',
          '#f2d23f',
        ),
      ) +
      times(80, (index) =>
        faded(0.5, line(`M${(index * 131) % 900} ${(index * 197) % 1200} l-9 46`, '#e8f2f8', 3)),
      ),
  },
  {
    name: 'city-tram',
    topics: ['city', 'travel', 'morning'],
    size: wide,
    draw: (size) =>
      sky('gold', size) +
      [0, 1, 2, 3, 4, 5, 6]
        .map((index) =>
          moved(
            [index * 176 - 20, 0],
            rect(
              [0, 220 - (index % 3) * 60, 170, 560],
              ['#e8a888', '#f0d3a0', '#b9d0c4', '#d98d7a', '#f4e3c8'][index % 5] ?? '',
            ),
            shape(
              `M-8 ${220 - (index % 3) * 60} L85 ${130 - (index % 3) * 60} L178 ${220 - (index % 3) * 60} Z`,
              '#a85a44',
            ),
            times(8, (place) =>
              rect(
                [
                  24 + (place % 2) * 74,
                  260 - (index % 3) * 60 + Math.floor(place / 2) * 96,
                  46,
                  62,
                ],
                '#4f6b7a',
                4,
              ),
            ),
          ),
        )
        .join('') +
      rect([0, 690, 1200, 210], down('#a39a96', '#7d7470')) +
      [770, 840].map((y) => rect([0, y, 1200, 8], '#5a5450')).join('') +
      line('M0 150 Q600 190 1200 140', '#3a3740', 4) +
      moved(
        [560, 770],
        shadow([0, 10, 400, 20]),
        line('M0 -420 L60 -590 L140 -600', '#3a3740', 8),
        rect([-380, -400, 760, 380], '#c73a3a', 40),
        rect([-380, -180, 760, 60], '#fbe9c8'),
        rect([-400, -60, 800, 50], '#8f2a2a', 20),
        ...[-340, -200, 60, 200].map((x) => rect([x, -350, 120, 140], '#bfe0ea', 12)),
        rect([-60, -350, 100, 300], '#bfe0ea', 10),
        rect([-14, -350, 8, 300], '#8f2a2a'),
        ...[-250, -150, 150, 250].map((x) => oval([x, -4, 36], '#2a2832')),
        oval([352, -90, 18], '#ffe9a8'),
      ),
  },
  {
    name: 'plane-window',
    topics: ['travel', 'flight', 'morning'],
    size: tall,
    draw: (size) =>
      rect([0, 0, ...size], down('#e6e9ec', '#cfd5da')) +
      rect([150, 140, 600, 860], '#f6f8f9', 290) +
      rect([200, 190, 500, 760], '#b8c1c8', 240) +
      '<clipPath id="clipwindow"><rect x="226" y="216" width="448" height="708" rx="214"/></clipPath><g clip-path="url(#clipwindow)">' +
      rect([200, 190, 500, 760], down(...skies.dawn)) +
      sun([560, 560, 50]) +
      [
        [300, 700, 1.6],
        [560, 760, 1.9],
        [420, 860, 2.4],
        [640, 900, 2],
        [260, 900, 2],
      ]
        .map(([x = 0, y = 0, s = 1]) => cloud([x, y, s], '#fff0e6'))
        .join('') +
      shape('M200 860 L640 640 L700 650 L430 930 L200 940 Z', '#8f9aa5') +
      shape('M600 662 L664 560 L690 566 L676 652 Z', '#e2483a') +
      '</g>' +
      rect([0, 1080, 900, 120], '#b8c1c8') +
      mug([700, 1090, 0.9], '#ffffff'),
  },
  {
    name: 'wardrobe-rail',
    topics: ['fashion', 'outfit', 'getting-ready', 'sewing', 'fabric', 'costume'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#ece5da', '#ddd2c2'], floor: ['#c99a67', '#a97a4c'], from: 720 }) +
      moved(
        [600, 780],
        line('M-440 0 V-600 H440 V0', '#2a2832', 16),
        ...[-360, -230, -100, 30, 170, 310].map((x, index) =>
          moved(
            [x, -590],
            line('M0 0 V34 M-60 70 L0 30 L60 70', '#2a2832', 7),
            shape(
              index % 3 === 0
                ? 'M-64 66 L64 66 L50 170 L120 420 L-120 420 L-50 170 Z'
                : index % 3 === 1
                  ? 'M-70 66 L70 66 L110 190 L74 206 L70 330 L-70 330 L-74 206 L-110 190 Z'
                  : 'M-66 66 L66 66 L90 400 L-90 400 Z',
              ['#c73a4e', '#3f6b9c', '#e9b44c', '#2f8f83', '#8a6fa8', '#e8a088'][index] ?? '',
            ),
            index % 3 === 0
              ? rect([-50, 158, 100, 20], '#00000030', 6)
              : index % 3 === 2
                ? times(5, (row) => rect([-70 + row * 32, 90, 10, 300], '#ffffff40'))
                : '',
          ),
        ),
      ) +
      moved(
        [330, 840],
        shadow([0, 0, 100, 10]),
        shape('M-90 0 L-90 -60 Q-30 -50 20 -20 Q80 -14 90 0 Z', '#2a2832'),
        rect([-90, -6, 26, 30], '#2a2832'),
      ) +
      moved(
        [820, 850],
        shadow([0, 0, 150, 12]),
        oval([0, -16, 170, 26], '#d9b87a'),
        shape('M-90 -20 Q-80 -120 0 -120 Q80 -120 90 -20 Z', '#e9cf9a'),
        rect([-92, -50, 184, 26], '#2a2832'),
      ),
  },
  {
    name: 'sewing-costume',
    topics: ['sewing', 'cosplay', 'costume', 'crafts', 'fabric', 'armour'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#d8d2e6', '#c3bad6'], floor: ['#a97a4c', '#8a5f38'], from: 640 }) +
      table(size, { from: 640, wood: woods.birch }) +
      moved(
        [260, 640],
        line('M0 0 V-120', '#5a3826', 18),
        shape(
          'M-90 -420 Q-60 -460 0 -460 Q60 -460 90 -420 Q70 -330 80 -240 L96 -110 L-96 -110 L-80 -240 Q-70 -330 -90 -420 Z',
          '#f0e0c8',
        ),
        rect([-24, -500, 48, 50], '#f0e0c8', 14),
        shape(
          'M-96 -430 Q-130 -200 -170 -60 L-60 -80 Q-70 -260 -40 -440 Z M96 -430 Q130 -200 170 -60 L60 -80 Q70 -260 40 -440 Z',
          '#7a2a4e',
        ),
        oval([0, -424, 17], '#f2d23f'),
      ) +
      moved(
        [720, 760],
        shadow([0, 8, 300, 20]),
        rect([-270, -50, 560, 56], '#f6f1ea', 14),
        rect([150, -260, 110, 220], '#f6f1ea', 20),
        rect([-230, -300, 490, 96], '#f6f1ea', 40),
        rect([-230, -230, 90, 110], '#f6f1ea', 14),
        rect([-196, -120, 10, 76], '#8a929a'),
        oval([270, -250, 40, 48], '#c9c2b6'),
        oval([200, -150, 30], '#e2603c'),
        rect([60, -330, 26, 36], '#e9b44c', 4),
        line('M72 -330 Q-40 -380 -186 -240 L-192 -110', '#c73a4e', 3),
        shape('M-420 -30 Q-300 -80 -180 -40 L-120 -10 Q-240 40 -440 10 Z', '#7a2a4e'),
        shape('M-420 -30 Q-300 -80 -180 -40 L-190 -28 Q-300 -60 -416 -16 Z', '#f2d23f'),
      ) +
      [0, 1, 2, 3]
        .map((index) =>
          moved(
            [1020 + (index % 2) * 70, 720 + Math.floor(index / 2) * 80],
            rect([-22, -50, 44, 50], ['#c73a4e', '#3f8fc0', '#f2d23f', '#2f8f83'][index] ?? '', 3),
            rect([-28, -58, 56, 10], '#d9b98a', 3),
            rect([-28, -4, 56, 10], '#d9b98a', 3),
          ),
        )
        .join('') +
      line('M560 850 Q700 830 900 852 T1130 840', '#f2d23f', 16),
  },
  {
    name: 'mask-cape',
    topics: ['cosplay', 'costume', 'fantasy', 'halloween', 'convention', 'armour'],
    size: tall,
    draw: (size) =>
      rect([0, 0, ...size], down('#2a1a4a', '#6a2a6a', '#c2507e')) +
      moved([0, 0], stars(60, [900, 900], 14)) +
      oval([450, 470, 420], glow('#ffcf8a66', '#ffcf8a00')) +
      shape('M160 1200 Q180 760 330 640 L570 640 Q720 760 740 1200 Z', down('#b0243f', '#6b1230')) +
      shape('M330 640 Q450 700 570 640 L620 560 Q450 620 280 560 Z', '#8c1a34') +
      shape('M330 640 L290 1200 L160 1200 Q180 760 330 640 Z', '#00000022') +
      oval([450, 470, 150, 190], '#e0b08a') +
      shape(
        'M296 430 Q290 250 450 250 Q610 250 604 430 Q600 330 540 330 Q450 300 360 330 Q300 340 296 430 Z',
        '#2a1a3a',
      ) +
      shape(
        'M280 410 Q360 370 450 410 Q540 370 620 410 Q620 500 540 510 Q480 510 450 460 Q420 510 360 510 Q280 500 280 410 Z',
        '#f2c94f',
      ) +
      shape(
        'M330 436 Q370 420 410 446 Q390 480 350 474 Q330 466 330 436 Z M570 436 Q530 420 490 446 Q510 480 550 474 Q570 466 570 436 Z',
        '#2a1a3a',
      ) +
      line('M404 588 Q450 614 498 586', '#8c3a3a', 9) +
      [300, 340, 560, 600]
        .map((x, index) =>
          moved(
            [x, 400, 1, index < 2 ? -30 : 30],
            shape(
              'M0 0 Q-22 -60 0 -130 Q22 -60 0 0 Z',
              ['#3f8fc0', '#2f8f83', '#2f8f83', '#3f8fc0'][index] ?? '',
            ),
          ),
        )
        .join('') +
      oval([450, 690, 30], '#f2c94f') +
      oval([450, 690, 19], '#3f8fc0'),
  },
  {
    name: 'sword-armor',
    topics: ['cosplay', 'costume', 'crafts', 'fantasy', 'foam', 'tools', 'armour', 'props'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#4a4038', '#2f2822')) +
      times(6, (row) => rect([0, row * 150, 1200, 146], row % 2 === 0 ? '#5a4a3e' : '#524338')) +
      moved(
        [420, 480],
        shadow([20, 40, 260, 300]),
        shape('M-240 -280 L0 -340 L240 -280 Q250 80 0 320 Q-250 80 -240 -280 Z', '#c9a24f'),
        shape('M-206 -252 L0 -304 L206 -252 Q214 64 0 276 Q-214 64 -206 -252 Z', '#2f5f8a'),
        shape('M0 -304 L206 -252 Q214 64 0 276 Z', '#27507a'),
        shape(
          'M0 -180 L40 -60 L160 -60 L64 16 L100 140 L0 66 L-100 140 L-64 16 L-160 -60 L-40 -60 Z',
          '#f2d27a',
        ),
      ) +
      moved(
        [860, 470, 1, 18],
        blurred(10, faded(0.4, rect([-26, -400, 70, 640], '#000000'))),
        shape('M-34 150 L-34 -330 L0 -420 L34 -330 L34 150 Z', down('#f4f7fa', '#aab6c2')),
        rect([-5, -340, 10, 480], '#8a96a2'),
        rect([-130, 150, 260, 36], '#c9a24f', 16),
        rect([-24, 186, 48, 150], '#5a2a1e', 8),
        ...[0, 1, 2, 3].map((row) => rect([-24, 200 + row * 34, 48, 8], '#8a4a34')),
        oval([0, 356, 38], '#c9a24f'),
        oval([0, 356, 19], '#c73a4e'),
      ),
  },
  {
    name: 'christmas-tree',
    topics: ['christmas', 'winter', 'home', 'celebration'],
    size: tall,
    draw: (size) =>
      room(size, { wall: ['#7a2f3a', '#5c2430'], floor: ['#8b5a3a', '#6b4029'], from: 960 }) +
      pane([80, 130, 240, 320], 'night') +
      oval([520, 620, 480], glow('#ffcf8a66', '#ffcf8a00')) +
      moved(
        [520, 1060],
        shadow([0, 0, 280, 22]),
        rect([-36, -130, 72, 130], '#5a3826'),
        ...[
          [-110, 320, 260],
          [-290, 270, 240],
          [-450, 210, 220],
          [-590, 150, 190],
        ].map(
          ([y = 0, half = 0, height = 0]) =>
            shape(
              `M0 ${y - height} Q${half * 0.5} ${y - height * 0.3} ${half} ${y}` +
                ` Q${half * 0.5} ${y + 34} 0 ${y + 14} Q${-half * 0.5} ${y + 34}` +
                ` ${-half} ${y} Q${-half * 0.5} ${y - height * 0.3} 0 ${y - height}` +
                ' Z',
              '#2f7d52',
            ) +
            line(`M${-half * 0.8} ${y - 30} Q0 ${y + 24} ${half * 0.8} ${y - 40}`, '#e9b44c', 8),
        ),
        ...[
          [-150, -150],
          [40, -130],
          [190, -140],
          [-80, -300],
          [110, -330],
          [-10, -470],
          [-110, -460],
          [60, -600],
        ].map(
          ([x = 0, y = 0], index) =>
            oval([x, y, 25], ['#e2483a', '#f2d23f', '#5fb0e0'][index % 3] ?? '') +
            oval([x - 8, y - 8, 7], '#ffffff80'),
        ),
        shape(
          'M0 -850 L17 -804 L66 -804 L26 -774 L42 -726 L0 -756 L-42 -726 L-26 -774 L-66 -804 L-17 -804 Z',
          '#ffe27a',
        ),
      ) +
      [0, 1, 2]
        .map((index) =>
          moved(
            [190 + index * 290, 1120],
            shadow([0, 0, 100, 12]),
            rect([-90, -130, 180, 130], ['#3f8fc0', '#f4e3c8', '#2f8f83'][index] ?? '', 6),
            rect([-15, -130, 30, 130], '#e2483a'),
            shape('M0 -130 Q-70 -190 -56 -136 Z M0 -130 Q70 -190 56 -136 Z', '#e2483a'),
          ),
        )
        .join(''),
  },
]
