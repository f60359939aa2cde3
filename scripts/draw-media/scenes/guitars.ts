import { candle, framed, mug, pane, pottedPlant, room, table, woods } from '../indoors.ts'
import { hills, sky, stars, sun } from '../outdoors.ts'
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
import { guitar } from './music.ts'

/** A solid guitar; the end of its body is at the point. */
function solidGuitar(
  [x, y, scale, angle]: readonly [number, number, number, number],
  colour: string,
): string {
  return moved(
    [x, y, scale, angle],
    shape(
      'M0 0 C-130 10 -170 -90 -120 -160 C-100 -190 -130 -240 -120 -290 C-100 -330 -60 -300 -34 -270 ' +
        'L34 -270 C60 -310 110 -350 124 -300 C134 -250 96 -200 120 -160 C170 -90 130 10 0 0 Z',
      colour,
    ),
    shape('M-60 -40 C-90 -120 -40 -180 -50 -250 L50 -250 C40 -180 96 -130 60 -40 Z', '#fdf6e6'),
    rect([-20, -700, 40, 470], '#d9a56c', 4),
    shape('M-26 -700 L26 -700 L56 -830 L-10 -820 Z', '#d9a56c'),
    times(6, (fret) => rect([-20, -660 + fret * 62, 40, 3], '#8a6a42')),
    [-210, -160, -110].map((top) => rect([-40, top, 80, 22], '#2a2424', 8)).join(''),
    [-9, -3, 3, 9].map((left) => line(`M${left} -70 V-700`, '#e9edf0', 1.6)).join(''),
    rect([-34, -76, 68, 18], '#c3c9cf', 4),
  )
}

/** A pedal seen from above; its middle is the point. */
function pedal([x, y]: readonly [number, number], colour: string): string {
  return moved(
    [x, y],
    rect([-84, -130, 176, 276], '#00000040', 16),
    rect([-88, -140, 176, 276], colour, 16),
    [-46, 0, 46]
      .map((left) => oval([left, -92, 19], '#2a2424') + line(`M${left} -92 l6 -13`, '#ffffff', 4))
      .join(''),
    rect([-60, -50, 120, 40], '#fdf6e6', 4),
    oval([0, 20, 9], '#ff4a4a'),
    oval([0, 84, 30], '#c3c9cf'),
    oval([0, 80, 24], '#e9edf0'),
  )
}

/** What guitarists show of their songs, their gear and their evenings. */
export const guitarScenes: readonly Scene[] = [
  {
    name: 'guitar-strings',
    topics: ['guitar'],
    size: square,
    draw: (size) =>
      rect([0, 0, ...size], down('#4a2a1c', '#2a160e')) +
      guitar([250, 1240, 2.5, 24], ['#c97a35', '#8a4f20'], 3),
  },
  {
    name: 'guitar-case',
    topics: ['guitar', 'gear', 'gig'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#3f4a5c', '#323b4a'], floor: ['#a97a4c', '#855c36'], from: 300 }) +
      shadow([600, 760, 520, 40]) +
      moved(
        [180, 620, 1, 0],
        shape(
          'M0 -150 Q0 -200 60 -200 L780 -140 Q850 -130 850 -70 L850 70 Q850 130 780 140 L60 200 Q0 200 0 150 Z',
          '#241c1c',
        ),
        shape(
          'M20 -140 Q20 -178 66 -178 L774 -120 Q826 -112 826 -64 L826 64 Q826 112 774 120 L66 178 Q20 178 20 140 Z',
          '#8c2f3a',
        ),
        moved([60, 0, 0.92, 90], solidGuitar([0, 0, 1, 0], '#e8b95a')),
        rect([620, 60, 130, 44], '#fdf6e6', 4),
        line('M640 82 h90', '#8a7a66', 5),
      ) +
      rect([176, 380, 860, 30], '#241c1c', 12),
  },
  {
    name: 'guitar-wall',
    topics: ['guitar', 'gear'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#c8d2cc', '#aebbb3')) +
      times(6, (row) => rect([0, row * 150, 1200, 3], '#00000014')) +
      [220, 600, 980].map((x) => rect([x - 30, 60, 60, 26], '#6b4029', 6)).join('') +
      guitar([220, 850, 0.82], ['#e0a25a', '#9a6228']) +
      solidGuitar([600, 800, 0.9, 0], '#c73a4e') +
      guitar([980, 850, 0.82], ['#7a4a2c', '#4a2a18']),
  },
  {
    name: 'guitar-pedals',
    topics: ['amplifier', 'guitar', 'gear', 'recording'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#8a6a4c', '#6b4f36')) +
      times(8, (row) => rect([0, row * 115, 1200, 3], '#00000022')) +
      rect([90, 200, 1030, 480], '#1c1a20', 18) +
      pedal([240, 430], '#e2603c') +
      pedal([470, 430], '#2f8fb0') +
      pedal([700, 430], '#e9b44c') +
      pedal([930, 430], '#5a9f6f') +
      line(
        'M-20 560 Q90 620 150 430 M328 400 h54 M558 400 h54 M788 400 h54 M1018 430 Q1120 470 1220 380',
        '#f4ead8',
        13,
      ) +
      line('M1060 700 Q1000 820 700 800 T300 870', '#1a1414', 12),
  },
  {
    name: 'guitar-songbook',
    topics: ['guitar', 'recording'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#d9a56c', '#b97f48')) +
      times(7, (row) =>
        faded(
          0.3,
          line(`M0 ${row * 130 + 60} q600 ${row % 2 === 0 ? 14 : -14} 1200 0`, '#93602f', 3),
        ),
      ) +
      moved(
        [560, 450, 1, -5],
        rect([-350, -290, 720, 590], '#00000030', 8),
        rect([-360, -300, 360, 590], '#fdf8ec', 6),
        rect([0, -300, 360, 590], '#f6efdc', 6),
        times(9, (row) =>
          line(`M-320 ${-240 + row * 56} h${150 + ((row * 67) % 120)}`, '#5a6b8c', 5),
        ),
        times(6, (place) =>
          moved(
            [60 + (place % 3) * 100, -230 + Math.floor(place / 3) * 230],
            rect([0, 0, 70, 90], '#00000000'),
            times(4, (string) => line(`M${string * 22} 0 V110`, '#3a3430', 3)),
            times(4, (fret) => line(`M0 ${fret * 36} H66`, '#3a3430', 3)),
            oval([(place * 22) % 66, 18 + ((place * 36) % 72), 9], '#c73a4e'),
            oval([((place + 2) * 22) % 66, 54, 9], '#c73a4e'),
          ),
        ),
      ) +
      moved(
        [960, 640, 1, 38],
        rect([-9, -190, 18, 330], '#2f4a63', 9),
        shape('M-9 140 L9 140 L0 178 Z', '#e9dcc6'),
      ) +
      moved(
        [1040, 250, 1, 14],
        rect([-30, -90, 60, 180], '#2a2832', 18),
        rect([-14, -80, 28, 150], '#8a8f98', 8),
      ) +
      moved([150, 760], mug([0, 0, 1], '#4f8f9c')),
  },
  {
    name: 'guitar-night',
    topics: ['guitar', 'recording'],
    size: tall,
    draw: (size) =>
      room(size, { wall: ['#2a2f4a', '#232840'], floor: ['#4b3626', '#33241a'], from: 930 }) +
      pane([110, 130, 330, 430], 'night', '#4a5068') +
      oval([720, 500, 330], glow('#ffcf8a88', '#ffcf8a00')) +
      moved(
        [740, 1060],
        rect([-7, -560, 14, 560], '#8a7a66'),
        shape('M-90 -520 L90 -520 L56 -650 L-56 -650 Z', '#f2c987'),
        rect([-70, -8, 140, 16], '#8a7a66', 8),
      ) +
      guitar([330, 1110, 0.98, -8], ['#b8763a', '#7d4a20']) +
      candle([600, 1090, 0.9]),
  },
  {
    name: 'guitar-sofa',
    topics: ['guitar'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#f2e6d4', '#e6d3b8'], floor: ['#c99a67', '#a97a4c'], from: 660 }) +
      pane([760, 90, 300, 330], 'day') +
      framed(
        [150, 120, 210, 150],
        shape('M150 270 L230 170 L300 250 L330 220 L360 270 Z', '#7a9c8a'),
      ) +
      shadow([520, 800, 470, 30]) +
      rect([80, 430, 880, 230], '#4f7f86', 40) +
      rect([60, 560, 920, 200], '#5f939a', 34) +
      rect([40, 500, 120, 270], '#4a757c', 34) +
      rect([880, 500, 120, 270], '#4a757c', 34) +
      moved([210, 470, 1, -10], rect([0, 0, 150, 130], '#e9b44c', 22)) +
      guitar([420, 650, 0.62, 74], ['#d98b3f', '#a85f24']) +
      pottedPlant([1090, 800, 1.1]),
  },
  {
    name: 'guitar-headstock',
    topics: ['guitar', 'gear'],
    size: square,
    draw: (size) =>
      rect([0, 0, ...size], down('#e9dcc6', '#d3bd9a')) +
      blurred(24, faded(0.5, oval([780, 240, 220], '#fff6dc'))) +
      moved(
        [460, 760, 3, -20],
        rect([-22, -60, 44, 320], '#4b2a1a', 4),
        shape('M-28 -60 L28 -60 L40 -210 L-40 -210 Z', '#6b3f22'),
        ...[0, 1, 2].map(
          (row) =>
            rect([-66, -98 - row * 40, 34, 12], '#d8d2c4', 6) +
            rect([32, -98 - row * 40, 34, 12], '#d8d2c4', 6) +
            oval([-28, -92 - row * 40, 6], '#e9edf0') +
            oval([28, -92 - row * 40, 6], '#e9edf0'),
        ),
        ...[0, 1, 2].map((row) =>
          line(
            `M${-15 + row * 6} -58 L-26 ${-92 - row * 40} M${15 - row * 6} -58 L26 ${-92 - row * 40}`,
            '#f4ead8',
            1.6,
          ),
        ),
        times(6, (index) => line(`M${-15 + index * 6} -58 V260`, '#f4ead8', 1.6)),
        [40, 110, 170, 222].map((top) => rect([-22, top, 44, 3], '#d8c9ac')).join(''),
        rect([-26, -62, 52, 8], '#fdf6e6'),
        rect([-30, -250, 60, 44], '#22252b', 8),
        rect([-22, -244, 44, 26], '#2f8f5f', 4),
        line('M0 -222 L6 -240', '#f2f7d8', 3),
      ),
  },
  {
    name: 'tape-machine',
    topics: ['recording', 'gear'],
    size: wide,
    draw: (size) =>
      room(size, { wall: ['#5c4a3a', '#463729'], floor: ['#8b5a3a', '#6b4029'], from: 560 }) +
      table(size, { from: 640, wood: woods.oak }) +
      shadow([600, 770, 470, 30]) +
      rect([170, 210, 860, 560], '#3a3d45', 22) +
      rect([196, 236, 808, 508], '#c9ccd0', 10) +
      [390, 810]
        .map(
          (x) =>
            oval([x, 420, 160], '#2a2832') +
            oval([x, 420, 146], '#6b4a36') +
            oval([x, 420, 54], '#e9edf0') +
            times(3, (arm) =>
              moved([x, 420, 1, arm * 120 + 20], rect([-16, -130, 32, 70], '#c9ccd0', 12)),
            ) +
            oval([x, 420, 14], '#2a2832'),
        )
        .join('') +
      line('M470 556 Q600 640 730 556', '#4a3022', 5) +
      rect([520, 560, 160, 60], '#2a2832', 8) +
      [260, 330, 870, 940]
        .map(
          (x, index) =>
            oval([x, 680, 26], '#2a2832') + line(`M${x} 680 l${index * 6 - 9} -20`, '#ffffff', 5),
        )
        .join('') +
      [420, 500, 580, 660, 740]
        .map((x, index) => rect([x, 650, 56, 52], index === 2 ? '#e2483a' : '#f4f1ea', 6))
        .join(''),
  },
  {
    name: 'headphones-mixer',
    topics: ['recording'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#3a2f4a', '#241d30')) +
      rect([110, 130, 980, 640], '#16141c', 20) +
      times(9, (column) =>
        moved(
          [190 + column * 102, 0],
          times(
            4,
            (row) =>
              oval(
                [0, 210 + row * 76, 24],
                ['#e2603c', '#e9b44c', '#5fd0f2', '#f4f1ea'][row] ?? '',
              ) +
              line(`M0 ${210 + row * 76} l${((column * 7 + row * 5) % 17) - 8} -20`, '#16141c', 5),
          ),
          rect([-6, 500, 12, 230], '#3a3740', 6),
          rect([-26, 540 + ((column * 53) % 140), 52, 34], '#f4f1ea', 6),
          oval([34, 520, 6], column % 3 === 0 ? '#ff4a4a' : '#4fd06f'),
        ),
      ) +
      moved(
        [820, 560, 1.5, -16],
        `<path d="M-130 0 Q-130 -190 0 -190 Q130 -190 130 0" fill="none" stroke="#f4ead8" stroke-width="26"/>`,
        rect([-176, -30, 80, 140], '#e2603c', 34),
        rect([96, -30, 80, 140], '#e2603c', 34),
      ),
  },
  {
    name: 'gig-crowd',
    topics: ['gig'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#0d0a20', '#2a1450', '#6b1f5a')) +
      faded(
        0.4,
        shape('M200 -20 L-60 760 L360 760 Z', '#5fd0f2'),
        shape('M1000 -20 L840 760 L1260 760 Z', '#f25fa8'),
        shape('M600 -20 L460 760 L740 760 Z', '#fff0b8'),
      ) +
      [200, 600, 1000].map((x) => oval([x, 16, 30], '#fffbe8')).join('') +
      times(
        9,
        (place) =>
          oval([60 + place * 135, 640 + (place % 3) * 16, 54], '#1a1030') +
          rect([4 + place * 135, 690 + (place % 3) * 16, 112, 220], '#1a1030', 44),
      ) +
      times(7, (place) =>
        moved(
          [110 + place * 170, 800],
          oval([0, -40, 70], '#0a0618'),
          rect([-90, 10, 180, 160], '#0a0618', 60),
          place % 2 === 0 ? line('M60 40 L110 -150', '#0a0618', 34) : '',
        ),
      ),
  },
  {
    name: 'gig-van',
    topics: ['gig'],
    size: wide,
    draw: (size) =>
      sky('dusk', size) +
      hills(size, { base: 480, rise: 30, turn: 2, fill: '#3a2a4a' }) +
      rect([0, 660, 1200, 240], down('#4a4452', '#332e3a')) +
      shadow([600, 800, 460, 30]) +
      rect([240, 180, 720, 570], '#d8d2c4', 44) +
      rect([290, 230, 620, 420], '#2a2430', 16) +
      shape(
        'M290 230 L150 250 L150 700 L290 720 Z M910 230 L1050 250 L1050 700 L910 720 Z',
        '#c3bba8',
      ) +
      rect([330, 400, 220, 240], '#5a4034', 8) +
      rect([352, 450, 176, 170], '#8a7a66', 6) +
      rect([352, 414, 176, 26], '#d9c9a0', 4) +
      rect([570, 470, 300, 80], '#8c2f3a', 12) +
      rect([570, 560, 300, 80], '#1c1a20', 12) +
      oval([720, 600, 10], '#c3c9cf') +
      rect([600, 290, 60, 170], '#3f6b9c', 24) +
      rect([690, 330, 150, 130], '#e9b44c', 10) +
      [270, 880].map((x) => rect([x, 690, 50, 34], '#e2483a', 8)).join('') +
      rect([520, 690, 160, 40], '#fdf6e6', 6) +
      [330, 870].map((x) => oval([x, 770, 60, 44], '#1a181f')).join(''),
  },
  {
    name: 'gig-door',
    topics: ['gig'],
    size: tall,
    draw: (size) =>
      rect([0, 0, ...size], down('#2a1f3a', '#3a2a3a')) +
      times(16, (row) =>
        times(9, (column) =>
          rect(
            [column * 110 - (row % 2) * 50, row * 62, 104, 56],
            (row + column) % 4 === 0 ? '#5c3a3a' : '#523434',
            3,
          ),
        ),
      ) +
      rect([0, 990, 900, 210], down('#3a3540', '#242028')) +
      rect([140, 330, 330, 670], '#12101a', 8) +
      rect([164, 356, 282, 640], down('#ff9d6b', '#7a2a4e')) +
      oval([305, 300, 260], glow('#ff9d6b66', '#ff9d6b00')) +
      rect([90, 170, 430, 110], '#12101a', 16) +
      line('M140 225 h330', '#ff6a8a', 22) +
      line('M140 225 h330', '#ffd0da', 7) +
      moved(
        [680, 1040],
        shadow([0, 10, 150, 14]),
        shape('M-130 0 L-100 -380 L100 -380 L130 0 Z', '#8b5a3a'),
        shape('M-100 -24 L-78 -352 L78 -352 L100 -24 Z', '#20262a'),
        line('M-50 -310 H50 M-60 -250 H60 M-56 -200 H30 M-64 -140 H64 M-66 -90 H20', '#f4f1ea', 9),
      ) +
      times(20, (index) => oval([40 + index * 44, 110 + Math.sin(index * 0.7) * 22, 9], '#ffe3a1')),
  },
  {
    name: 'porch-lights',
    topics: ['porch'],
    size: wide,
    draw: (size) =>
      sky('dusk', size) +
      moved([0, 0], stars(26, [1200, 300], 4)) +
      sun([930, 520, 40], '#ffd9a0') +
      hills(size, { base: 560, rise: 40, turn: 3, fill: '#4a2f4f' }) +
      rect([0, 700, 1200, 200], down('#8a5f42', '#5f3f2c')) +
      times(10, (index) =>
        line(`M${index * 140 - 40} 700 L${index * 180 - 200} 900`, '#4a3020', 4),
      ) +
      rect([0, 0, 1200, 50], '#4a3022') +
      [60, 600, 1120].map((x) => rect([x, 40, 34, 670], '#6b4a36')).join('') +
      line('M60 70 Q330 220 616 70 Q880 220 1140 70', '#2a1a14', 4) +
      times(
        15,
        (index) =>
          oval(
            [90 + index * 74, 96 + Math.abs(Math.sin(index * 0.44)) * 56, 26],
            glow('#ffe3a1aa', '#ffe3a100'),
          ) + oval([90 + index * 74, 96 + Math.abs(Math.sin(index * 0.44)) * 56, 9], '#fff3c0'),
      ) +
      times(26, (index) => rect([20 + index * 46, 560, 10, 146], '#6b4a36')) +
      rect([0, 544, 1200, 18], '#6b4a36') +
      moved(
        [330, 820],
        shadow([0, 6, 150, 14]),
        line('M-90 0 L-70 -150 L90 -150 L110 0 M-70 -150 L-100 -340', '#3a2418', 18),
        rect([-90, -170, 190, 34], '#e2603c', 12),
        rect([-124, -340, 40, 190], '#5a3826', 8),
      ) +
      guitar([520, 830, 0.62, 14], ['#d98b3f', '#a85f24']) +
      moved(
        [760, 830],
        rect([-70, -110, 140, 12], '#8b5a3a', 4),
        line('M-50 -100 L-60 0 M50 -100 L60 0', '#6b4029', 12),
        mug([0, -112, 0.6], '#e9b44c'),
      ),
  },
]
