import { cloud, hills, sky, stars, sun, water } from '../outdoors.ts'
import { tall, wide } from '../scene.ts'
import type { Scene } from '../scene.ts'
import { across, down, faded, mirrored, moved, oval, rect, shadow, shape } from '../svg.ts'

/** A boat with two sails; its keel floats at the point. */
export function sailboat(
  [x, y, scale]: readonly [number, number, number],
  sail = '#fffaf0',
): string {
  return moved(
    [x, y, scale],
    faded(0.25, oval([0, 16, 110, 9], '#0b2b45')),
    shape('M-96 -26 L100 -26 Q84 12 58 14 L-62 14 Q-88 6 -96 -26 Z', '#b5483a'),
    rect([-92, -32, 190, 9], '#fff3e0', 4),
    rect([-4, -226, 7, 200], '#5b3a29'),
    shape('M10 -222 Q92 -128 94 -44 L10 -44 Z', sail),
    shape('M-10 -196 Q-74 -112 -78 -44 L-10 -44 Z', '#ffd9a0'),
  )
}

/** A palm; its foot stands at the point. */
export function palm([x, y, scale]: readonly [number, number, number], colour = '#1c5c4a'): string {
  const frond = (angle: number) =>
    moved([70, -330, 1, angle], shape('M0 0 Q70 -52 170 0 Q84 -24 0 10 Z', colour))
  return moved(
    [x, y, scale],
    shape('M-16 0 Q14 -190 62 -334 L78 -330 Q42 -180 16 0 Z', '#6d4a35'),
    ...[-150, -115, -60, -22, 14, 48, 160, 195].map(frond),
    oval([66, -318, 12], '#7a4d2c'),
    oval([84, -316, 11], '#8c5a35'),
  )
}

function sand(
  [width, height]: readonly [number, number],
  from: number,
  colours: readonly string[],
): string {
  const d = `M0 ${from} Q${width * 0.3} ${from - 40} ${width * 0.56} ${from + 18} T${width} ${from - 22} L${width} ${height} L0 ${height} Z`
  return (
    moved([0, -26], shape(d, '#ffffffb0')) +
    moved([0, -12], shape(d, '#ffffff70')) +
    shape(d, down(...colours))
  )
}

function umbrella([x, y, scale]: readonly [number, number, number]): string {
  const wedge = (from: number, to: number, fill: string) =>
    shape(`M0 -330 Q${from} -300 ${from} -200 L${to} -200 Q${to} -300 0 -330 Z`, fill)
  return moved(
    [x, y, scale, -12],
    rect([-5, -320, 10, 330], '#f4ead6'),
    wedge(-190, -114, '#e8503f'),
    wedge(-114, -38, '#fff6e6'),
    wedge(-38, 38, '#e8503f'),
    wedge(38, 114, '#fff6e6'),
    wedge(114, 190, '#e8503f'),
  )
}

function lighthouse([x, y, scale]: readonly [number, number, number]): string {
  return moved(
    [x, y, scale],
    shape('M-46 0 L-30 -330 L30 -330 L46 0 Z', '#fbf4e8'),
    shape('M-41 -100 L-36 -190 L36 -190 L41 -100 Z', '#cf4037'),
    shape('M-33 -270 L-31 -330 L31 -330 L33 -270 Z', '#cf4037'),
    shape('M8 0 L6 -330 L30 -330 L46 0 Z', '#0000001c'),
    rect([-46, -346, 92, 18], '#32374a', 4),
    rect([-26, -404, 52, 58], '#ffe9a6'),
    rect([-4, -404, 8, 58], '#32374a'),
    shape('M-38 -404 Q0 -458 38 -404 Z', '#b0342d'),
    rect([-12, -50, 24, 50], '#5a3b32', 10),
    rect([-8, -240, 16, 26], '#5a3b32', 8),
  )
}

export const seaScenes: readonly Scene[] = [
  {
    name: 'sea-dawn',
    topics: [
      'sea',
      'beach',
      'morning',
      'travel',
      'swimming',
      'sky',
      'boat',
      'weather',
      'view',
      'outdoors',
      'openwater',
      'surf',
    ],
    size: wide,
    draw: (size) =>
      sky('dawn', size) +
      sun([720, 455, 62], '#fff1c2') +
      cloud([260, 250, 1.1], '#ffe6d878') +
      cloud([960, 190, 0.8], '#ffe6d868') +
      hills(size, { base: 480, rise: 60, turn: 1.4, fill: '#6f6a9c' }) +
      water(size, { from: 490, colours: ['#e9a48f', '#8f86ad', '#3e5c86'], glint: '#fff2d0' }) +
      sailboat([360, 560, 0.62]) +
      sand(size, 760, ['#f6dcae', '#dcb27a']),
  },
  {
    name: 'sea-parasol',
    topics: ['sea', 'beach', 'summer', 'travel', 'beachday'],
    size: wide,
    draw: (size) =>
      sky('day', size) +
      cloud([240, 170, 1.2]) +
      cloud([900, 120, 0.9]) +
      water(size, { from: 380, colours: ['#1f86bb', '#38b6cf', '#8fe3dc'], glint: '#ffffff' }) +
      sailboat([860, 470, 0.5]) +
      sand(size, 600, ['#fbe6b8', '#e9c488']) +
      shadow([430, 800, 200, 30]) +
      umbrella([400, 810, 1.15]) +
      moved(
        [560, 800],
        shape('M-130 0 L170 -24 L220 34 L-90 64 Z', '#2a9d9a'),
        shape('M-80 -4 L-40 -7 L10 57 L-30 60 Z', '#fff6e6'),
        shape('M20 -12 L60 -15 L110 48 L70 52 Z', '#fff6e6'),
      ) +
      oval([880, 800, 44], '#fff4e4') +
      shape('M880 756 Q916 790 904 838 Q884 812 880 756 Z', '#e8503f') +
      shape('M840 786 Q872 800 890 842 Q852 838 840 786 Z', '#2a7fb8'),
  },
  {
    name: 'sea-palms',
    topics: ['sea', 'beach', 'evening', 'travel'],
    size: tall,
    draw: (size) =>
      sky('dusk', size) +
      sun([440, 720, 88], '#ffe3a1') +
      cloud([220, 330, 0.9], '#ffb08c60') +
      cloud([690, 240, 0.7], '#ffb08c50') +
      water(size, {
        from: 770,
        colours: ['#ef8a5c', '#8d3f74', '#2e1e52'],
        glint: '#ffe0a0',
        seed: 8,
      }) +
      shape('M0 1090 Q260 1000 520 1090 T900 1070 L900 1200 L0 1200 Z', '#1f1433') +
      palm([130, 1110, 1.75], '#1f1433') +
      moved([800, 1110], mirrored(palm([0, 0, 1.35], '#1f1433'))),
  },
  {
    name: 'sea-lighthouse',
    topics: ['sea', 'travel', 'evening', 'walk', 'harbor', 'sky', 'weather', 'view'],
    size: tall,
    draw: (size) =>
      sky('night', size) +
      stars(90, [900, 640], 4) +
      shape('M640 458 L-60 250 L-60 500 Z', across('#fff1b800', '#fff1b8aa')) +
      shape('M640 458 L960 380 L960 480 Z', across('#fff1b8aa', '#fff1b822')) +
      water(size, {
        from: 820,
        colours: ['#2a3d72', '#16224d', '#0b1233'],
        glint: '#cfdcff',
        seed: 6,
      }) +
      shape(
        'M420 930 Q500 800 640 800 Q800 800 900 880 L900 1200 L560 1200 Q470 1060 420 930 Z',
        '#1c1f38',
      ) +
      shape(
        'M460 930 Q560 850 700 850 Q820 850 900 920 L900 960 Q760 880 640 890 Q540 900 460 930 Z',
        '#3b4568',
      ) +
      lighthouse([640, 830, 0.98]),
  },
]
