import { cloud, hills, sky, stars, sun, water } from '../outdoors.ts'
import { table, woods } from '../indoors.ts'
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
import { fishingBoat } from './crafts.ts'
import { buoy, dory, planks } from './harbor.ts'
import { sailboat } from './sea.ts'

/** A person in oilskins who stands and looks out, seen from behind; the feet are at the point. */
function standing([x, y, scale]: readonly [number, number, number], coat: string): string {
  return moved(
    [x, y, scale],
    shadow([0, 0, 80, 10]),
    line('M-18 -130 V-8 M18 -130 V-8', '#2a2f3a', 32),
    shape('M-58 -280 Q0 -306 58 -280 L64 -110 L-64 -110 Z', coat),
    line('M-54 -262 Q-84 -190 -60 -140 M54 -262 Q84 -190 60 -140', coat, 26),
    oval([0, -326, 34, 38], '#c48d69'),
    shape('M-44 -318 Q-46 -378 0 -378 Q46 -378 44 -318 Q0 -300 -44 -318 Z', '#3a4048'),
  )
}

/** A coil of rope seen from above. */
function coil(
  [x, y, scale]: readonly [number, number, number],
  [rope, dark]: readonly [string, string],
): string {
  return moved(
    [x, y, scale],
    blurred(12, faded(0.35, oval([12, 22, 200, 150], '#1a1030'))),
    times(
      6,
      (ring) =>
        `<ellipse cx="0" cy="${-ring * 5}" rx="${190 - ring * 26}" ry="${140 - ring * 20}" fill="none" stroke="${ring % 2 === 0 ? rope : dark}" stroke-width="26"/>`,
    ),
    line('M186 20 Q280 60 300 160', rope, 24),
  )
}

/** A photograph on paper, 260 by 200, from the point. */
function print(
  [x, y, scale, angle]: readonly [number, number, number, number],
  content: string,
): string {
  return moved(
    [x, y, scale, angle],
    rect([6, 10, 260, 200], '#00000030', 3),
    rect([0, 0, 260, 200], '#f6f2ea', 3),
    rect([14, 14, 232, 172], '#cfd3d4'),
    content,
  )
}

const seaPrint = rect([14, 110, 232, 76], '#5f666b') + oval([180, 70, 22], '#f4f4f2')
const boatPrint =
  rect([14, 120, 232, 66], '#7d8488') +
  shape('M60 110 L190 100 L170 140 L80 140 Z', '#2c3033') +
  line('M120 110 V40', '#2c3033', 5)
const facePrint =
  shape('M60 186 Q70 120 130 120 Q190 120 200 186 Z', '#4a5054') +
  oval([130, 84, 36, 42], '#a7acae') +
  shape('M92 74 Q94 30 130 30 Q166 30 168 74 Q130 56 92 74 Z', '#2c3033')

/** What comes and goes in a harbour over a year. */
export const wharfScenes: readonly Scene[] = [
  {
    name: 'trawler-dusk',
    topics: ['boat', 'harbor'],
    size: wide,
    draw: (size) =>
      sky('dusk', size) +
      sun([300, 400, 60], '#ffd0a0') +
      hills(size, { base: 430, rise: 60, turn: 5, fill: '#4a2f5a' }) +
      water(size, {
        from: 450,
        colours: ['#d9806a', '#6b3f6b', '#2a2448'],
        glint: '#ffd9b0',
        seed: 12,
      }) +
      fishingBoat([640, 690, 1.9], '#7a2a3a'),
  },
  {
    name: 'sloop-calm',
    topics: ['boat', 'harbor'],
    size: tall,
    draw: (size) =>
      sky('day', size) +
      cloud([640, 210, 1.1]) +
      cloud([190, 330, 0.8]) +
      hills(size, { base: 660, rise: 60, turn: 1, fill: '#5f8a6f' }) +
      water(size, { from: 690, colours: ['#a9d0dc', '#4f8ba6'], glint: '#ffffff', seed: 9 }) +
      sailboat([450, 860, 3.4]) +
      buoy([740, 1050, 0.9], ['#e2503c', '#fdf6e6']),
  },
  {
    name: 'hull-slip',
    topics: ['boat', 'harbor'],
    size: wide,
    draw: (size) =>
      sky('grey', size) +
      hills(size, { base: 420, rise: 40, turn: 2, fill: '#74857f' }) +
      rect([0, 520, 1200, 380], down('#a59a88', '#857a68')) +
      rect([720, 170, 400, 370], '#8c3a34') +
      times(9, (row) => rect([720, 170 + row * 42, 400, 3], '#6b2a26')) +
      shape('M690 180 L920 40 L1150 180 Z', '#4a4448') +
      rect([850, 330, 140, 210], '#2f4a63', 4) +
      shadow([520, 800, 430, 30]) +
      [260, 520, 760]
        .map((x) =>
          shape(`M${x - 40} 800 L${x - 20} 690 L${x + 20} 690 L${x + 40} 800 Z`, '#6b4a36'),
        )
        .join('') +
      dory([520, 720, 1.45, 0], ['#b8402f', '#f4ead8']) +
      moved(
        [930, 800],
        rect([-36, -70, 72, 70], '#d9dde2', 6),
        rect([-30, -80, 60, 14], '#b8402f', 6),
        line('M10 -80 L50 -170', '#b98a55', 12),
      ),
  },
  {
    name: 'boats-moon',
    topics: ['boat', 'harbor'],
    size: wide,
    draw: (size) =>
      sky('night', size) +
      stars(90, [1200, 420], 14) +
      sun([860, 170, 44], '#f4f1dc') +
      hills(size, { base: 470, rise: 50, turn: 3, fill: '#0f1838' }) +
      times(7, (index) => rect([90 + index * 120, 430 - (index % 3) * 10, 12, 14], '#ffd98a')) +
      water(size, { from: 490, colours: ['#2a3f74', '#0f1838'], glint: '#dfe9ff', seed: 4 }) +
      fishingBoat([360, 660, 1.1], '#1f3b5a') +
      fishingBoat([840, 740, 1.4], '#2f4a4a') +
      oval([800, 610, 90], glow('#ffe3a166', '#ffe3a100')),
  },
  {
    name: 'wharf-snow',
    topics: ['harbor', 'weather', 'winter'],
    size: wide,
    draw: (size) =>
      sky('grey', size) +
      hills(size, { base: 430, rise: 60, turn: 2.4, fill: '#dfe6ea' }) +
      water(size, { from: 460, colours: ['#9fb2bd', '#5f7885'], glint: '#ffffff', seed: 7 }) +
      fishingBoat([520, 660, 1.4], '#3f6b9c') +
      planks(size, 740) +
      rect([0, 726, 1200, 34], '#f4f8fb', 16) +
      times(
        5,
        (index) =>
          rect([80 + index * 250, 640, 44, 110], '#5a4034', 8) +
          oval([102 + index * 250, 640, 34, 16], '#f4f8fb'),
      ) +
      times(90, (index) =>
        oval([(index * 173) % 1200, (index * 97) % 880, 3 + (index % 4)], '#ffffff'),
      ),
  },
  {
    name: 'pilot-boat',
    topics: ['boat', 'sea', 'harbor'],
    size: wide,
    draw: (size) =>
      sky('day', size) +
      cloud([240, 150, 1.2]) +
      cloud([930, 220, 0.9]) +
      hills(size, { base: 430, rise: 30, turn: 5, fill: '#6f8f9c' }) +
      water(size, { from: 450, colours: ['#5fa3bd', '#1f5a78'], glint: '#ffffff', seed: 21 }) +
      moved(
        [600, 640, 1.5, -3],
        shape('M-260 -60 L270 -90 Q250 20 180 40 L-210 40 Q-250 10 -260 -60 Z', '#e2703c'),
        rect([-120, -170, 200, 100], '#fdf6e6', 10),
        rect([-100, -150, 160, 44], '#2f4a63', 6),
        line('M-20 -170 V-270 M-60 -240 H20', '#3a3d45', 8),
        shape('M260 -20 Q330 10 380 50 L150 56 Q220 20 260 -20 Z', '#ffffff'),
        shape('M-250 20 Q-340 20 -400 50 L-180 56 Z', '#ffffffc0'),
      ),
  },
  {
    name: 'breakwater-storm',
    topics: ['weather', 'sea'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#3f4a55', '#6b7a84', '#9aa7ac')) +
      cloud([300, 200, 2.2], '#2f3a44') +
      cloud([820, 150, 2.6], '#38434d') +
      water(size, { from: 480, colours: ['#5f757c', '#2f444d'], glint: '#e6eef0', seed: 31 }) +
      shape('M460 900 L620 560 L1240 520 L1240 900 Z', '#4a4a48') +
      times(12, (index) =>
        oval(
          [600 + (index % 6) * 110, 640 + Math.floor(index / 6) * 130, 74, 50],
          index % 2 === 0 ? '#5c5a56' : '#3f3e3c',
        ),
      ) +
      faded(
        0.92,
        shape(
          'M380 620 Q430 260 560 180 Q540 330 640 300 Q620 420 760 420 Q680 520 720 620 Z',
          '#f4f8f9',
        ),
      ) +
      faded(
        0.6,
        times(24, (index) =>
          oval(
            [420 + ((index * 71) % 380), 150 + ((index * 53) % 330), 6 + (index % 4) * 3],
            '#ffffff',
          ),
        ),
      ) +
      shape('M1010 520 L1030 330 L1080 330 L1100 520 Z', '#fdf6e6') +
      rect([1026, 300, 58, 34], '#c73a3a', 4),
  },
  {
    name: 'sea-smoke',
    topics: ['weather', 'sea', 'harbor', 'winter'],
    size: wide,
    draw: (size) =>
      sky('dawn', size) +
      sun([780, 420, 60], '#ffe6c8') +
      hills(size, { base: 480, rise: 30, turn: 4, fill: '#6f6a90' }) +
      water(size, { from: 500, colours: ['#d9a89c', '#6f7a9c'], glint: '#fff2e0', seed: 17 }) +
      faded(0.8, dory([400, 640, 0.8, 0], ['#3a4460', '#cfd6e6'])) +
      times(9, (index) =>
        blurred(
          20,
          faded(
            0.45,
            oval([80 + index * 140, 560 + (index % 3) * 90, 130, 70 + (index % 4) * 26], '#f4eef2'),
          ),
        ),
      ),
  },
  {
    name: 'rain-slip',
    topics: ['weather', 'harbor'],
    size: tall,
    draw: (size) =>
      sky('grey', size) +
      hills(size, { base: 480, rise: 40, turn: 6, fill: '#7f9098' }) +
      water(size, { from: 520, colours: ['#93a6ae', '#5c727d'], glint: '#eef4f6', seed: 2 }) +
      planks(size, 900) +
      buoy([680, 930, 1.3], ['#e2503c', '#fdf6e6']) +
      buoy([780, 960, 1.1], ['#f2d23f', '#2f4a63']) +
      dory([330, 760, 0.8, 0], ['#4f6f8c', '#e6eaec']) +
      times(70, (index) =>
        faded(0.5, line(`M${(index * 131) % 900} ${(index * 197) % 1180} l-10 44`, '#f4fbff', 3)),
      ),
  },
  {
    name: 'net-mender',
    topics: ['harbor-people', 'nets', 'portrait'],
    size: wide,
    draw: (size) =>
      sky('day', size) +
      cloud([880, 140, 1]) +
      hills(size, { base: 420, rise: 50, turn: 1, fill: '#8fa3ad' }) +
      water(size, { from: 450, colours: ['#a9c0c9', '#6f8e9c'], glint: '#ffffff', seed: 13 }) +
      planks(size, 620) +
      moved(
        [420, 800],
        shadow([0, 10, 190, 20]),
        rect([-110, -110, 220, 110], '#6b4a36', 6),
        line('M-30 -120 L80 -90 L100 10', '#2f3a55', 62),
        shape('M-90 -110 Q-110 -330 0 -340 Q90 -330 70 -110 Z', '#4f6f5a'),
        line('M40 -280 Q110 -200 190 -190', '#45624f', 46),
        oval([196, -190, 24], '#c48d69'),
        oval([0, -400, 66, 72], '#c48d69'),
        shape('M-72 -420 Q-70 -490 0 -490 Q72 -490 70 -420 Q0 -446 -72 -420 Z', '#8c2f3a'),
      ) +
      moved(
        [600, 800],
        shape('M-30 -190 Q180 -220 460 -40 L480 30 Q220 50 20 10 Z', '#2f8f8380'),
        times(12, (index) =>
          line(`M${-20 + index * 42} ${-180 + index * 13} L${20 + index * 40} 20`, '#1f6b62', 4),
        ),
        times(6, (index) =>
          line(
            `M${-20 + index * 8} ${-160 + index * 32} Q220 ${-150 + index * 36} ${470} ${-20 + index * 8}`,
            '#1f6b62',
            4,
          ),
        ),
        times(5, (index) => oval([80 + index * 90, 24, 18, 14], '#e8762c')),
      ),
  },
  {
    name: 'wharf-two',
    topics: ['harbor-people'],
    size: wide,
    draw: (size) =>
      sky('gold', size) +
      sun([600, 360, 70], '#fff0c8') +
      hills(size, { base: 450, rise: 40, turn: 2, fill: '#a88f6f' }) +
      water(size, { from: 470, colours: ['#f0cf96', '#8f8f84'], glint: '#fffaf0', seed: 19 }) +
      planks(size, 700) +
      standing([470, 790, 1.15], '#2f4a63') +
      standing([690, 800, 1.2], '#e8762c') +
      [140, 1030].map((x) => rect([x, 600, 52, 150], '#5a4034', 10)).join(''),
  },
  {
    name: 'chandlery-door',
    topics: ['harbor-people', 'portrait', 'harbor'],
    size: tall,
    draw: (size) =>
      rect([0, 0, ...size], '#c8b48c') +
      times(18, (row) => rect([0, row * 62, 900, 4], '#a8946c')) +
      rect([0, 1010, 900, 190], down('#8d7460', '#6d5846')) +
      rect([300, 330, 360, 690], '#3f6b8c', 6) +
      rect([330, 360, 300, 660], '#1c2a38') +
      rect([90, 110, 720, 130], '#2f4a63', 8) +
      line('M160 175 H740', '#f4ead8', 16) +
      moved(
        [480, 1050, 1.55],
        shadow([0, 0, 90, 12]),
        rect([-60, -190, 120, 190], '#3a3d55', 20),
        shape('M-74 -360 Q0 -390 74 -360 L60 -150 L-60 -150 Z', '#b8402f'),
        line('M-64 -340 Q-110 -260 -40 -220 M64 -340 Q110 -260 40 -220', '#a83828', 34),
        oval([0, -430, 52, 58], '#e0ac86'),
        shape(
          'M-58 -420 Q-66 -500 0 -500 Q66 -500 58 -420 Q40 -470 0 -466 Q-40 -470 -58 -420 Z',
          '#c9c4bc',
        ),
      ) +
      moved([140, 1060], buoy([0, 0, 1.2], ['#e2503c', '#fdf6e6'])) +
      moved([780, 1060], buoy([0, 0, 1.3], ['#f2b63a', '#2f4a63'])),
  },
  {
    name: 'nets-drying',
    topics: ['nets', 'harbor'],
    size: wide,
    draw: (size) =>
      sky('day', size) +
      cloud([300, 130, 1]) +
      hills(size, { base: 520, rise: 40, turn: 3, fill: '#7fa08a' }) +
      rect([0, 580, 1200, 320], down('#9fb07a', '#7a8f5a')) +
      [120, 600, 1080].map((x) => rect([x - 14, 220, 28, 520], '#6b4a36', 6)).join('') +
      rect([90, 230, 1020, 20], '#7a5236', 8) +
      shape(
        'M120 250 Q340 300 600 250 Q860 300 1080 250 L1060 660 Q830 720 600 650 Q360 720 140 660 Z',
        '#2f8f8350',
      ) +
      times(24, (index) =>
        line(`M${130 + index * 41} 252 q10 200 ${-6 + (index % 3) * 6} 410`, '#1f6b62', 4),
      ) +
      times(10, (index) =>
        line(
          `M126 ${280 + index * 40} Q360 ${330 + index * 40} 600 ${280 + index * 40} T1074 ${280 + index * 40}`,
          '#1f6b62',
          4,
        ),
      ) +
      times(9, (index) =>
        oval(
          [150 + index * 112, 668 + (index % 2) * 16, 24, 18],
          ['#e8762c', '#f2d23f', '#fdf6e6'][index % 3] ?? '',
        ),
      ),
  },
  {
    name: 'rope-coils',
    topics: ['nets', 'harbor'],
    size: square,
    draw: (size) =>
      rect([0, 0, ...size], '#7d6450') +
      times(10, (index) =>
        rect([index * 102, 0, 97, 1000], index % 2 === 0 ? '#8d7460' : '#877058'),
      ) +
      coil([330, 330, 1.1], ['#e8d9b8', '#cbb98f']) +
      coil([690, 660, 1.2], ['#2f8f83', '#24766c']) +
      moved([250, 760], buoy([0, 60, 1.4], ['#e2503c', '#fdf6e6'])) +
      line('M300 700 Q420 620 560 700', '#f2a23a', 18),
  },
  {
    name: 'prints-table',
    topics: ['darkroom'],
    size: wide,
    draw: (size) =>
      table(size, { from: 0, wood: woods.slate }) +
      print([110, 110, 1.3, -6], seaPrint) +
      print([500, 80, 1.3, 4], boatPrint) +
      print([850, 170, 1.1, -3], facePrint) +
      print([190, 480, 1.2, 3], facePrint) +
      print([580, 460, 1.4, -4], seaPrint) +
      moved(
        [1000, 640],
        oval([14, 20, 120], '#00000040'),
        oval([0, 0, 116], '#1c1a20'),
        oval([0, 0, 92], '#cfe0e8'),
        oval([-26, -28, 26], '#ffffff90'),
      ),
  },
  {
    name: 'film-rolls',
    topics: ['camera', 'darkroom'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#c9a878', '#a88454')) +
      times(6, (row) => rect([0, row * 150, 1200, 3], '#8a683c')) +
      shadow([440, 660, 330, 34]) +
      rect([150, 260, 560, 400], '#22252b', 26) +
      rect([190, 290, 480, 50], '#3a3d45', 8) +
      shape('M300 380 L560 380 L590 640 L270 640 Z', '#4a3a34') +
      oval([430, 500, 110], '#16141c') +
      oval([430, 500, 84], down('#5a7fb0', '#1c2748')) +
      oval([404, 472, 20], '#ffffffb0') +
      rect([390, 226, 80, 40], '#3a3d45', 6) +
      [0, 1, 2]
        .map((index) =>
          moved(
            [840 + (index % 2) * 150, 360 + index * 150, 1, -12 + index * 16],
            rect([-50, -80, 100, 160], ['#e9b44c', '#2f8f5f', '#f4f1ea'][index] ?? '', 10),
            rect([-50, -30, 100, 40], '#22252b'),
            rect([-16, -100, 32, 22], '#22252b', 4),
          ),
        )
        .join('') +
      line('M890 690 q90 60 200 10', '#3a2a24', 34),
  },
]
