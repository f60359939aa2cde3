import { candle, mug, pane, pottedPlant, room, table, woods } from './indoors.ts'
import { cloud, hills, pine, sky, stars, sun, tree, water } from './outdoors.ts'
import { kitchen } from './scenes/food.ts'
import { cat, dog, nightCity } from './scenes/living.ts'
import { pianoKeys, turntable } from './scenes/music.ts'
import { sailboat } from './scenes/sea.ts'
import { bicycle, yogaFigure } from './scenes/sport.ts'
import {
  across,
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
} from './svg.ts'
import type { Size } from './svg.ts'

/** A picture that moves: a video, or a GIF. */
export interface Clip {
  name: string
  topics: readonly string[]
  /** The size of its drawings. */
  size: Size
  /** The width of the file, pixels. */
  width: number
  seconds: number
  /** Draws it at a time from 0 to 1. */
  draw: (size: Size, time: number) => string
}

const wide: Size = [1200, 900]
const square: Size = [900, 900]
const turn = Math.PI * 2

function swell(size: Size, time: number): string {
  const [width] = size
  const wave = (base: number, rise: number, speed: number, fill: string) => {
    const heightOf = (step: number) =>
      base +
      Math.sin(step * 0.62 + time * turn * speed) * rise +
      Math.sin(step * 0.27 - time * turn) * rise * 0.6
    return shape(
      `M0 900 L0 ${base} ${times(25, (step) => `L${step * 50} ${heightOf(step).toFixed(1)} `)}L${width} 900 Z`,
      fill,
    )
  }
  return (
    sky('gold', size) +
    sun([820, 330, 70], '#fff6d8') +
    moved(
      [time * 60, 0],
      cloud([220, 170, 1.1], '#fff6e6c0'),
      cloud([930, 120, 0.8], '#fff6e6a0'),
    ) +
    wave(480, 8, 2, '#6fb0c4') +
    wave(530, 12, -3, '#4a97b4') +
    moved(
      [
        420 + time * 120,
        600 + Math.sin(time * turn * 3) * 12,
        1,
        Math.sin(time * turn * 3 + 1) * 4,
      ],
      sailboat([0, 0, 1.05]),
    ) +
    wave(610, 16, 3, '#2f7f9f') +
    wave(710, 20, -2, '#22688a') +
    wave(820, 22, 3, '#174f70')
  )
}

function ride(size: Size, time: number): string {
  const scroll = (spacing: number, speed: number, draw: (x: number, index: number) => string) =>
    times(Math.ceil(1200 / spacing) + 2, (index) =>
      draw(index * spacing - ((time * speed * spacing) % spacing) - spacing / 2, index),
    )
  return (
    sky('day', size) +
    cloud([280 - time * 60, 150, 1]) +
    cloud([900 - time * 60, 220, 0.8]) +
    sun([1010, 120, 54], '#fff7c9') +
    hills(size, { base: 520, rise: 80, turn: 1.4, fill: '#a9cf9a' }) +
    scroll(150, 4, (x) => pine([x, 600, 1.5], '#5f9a72')) +
    rect([0, 590, 1200, 310], down('#8cc47a', '#5f9f57')) +
    scroll(300, 6, (x) => tree([x, 670, 1.5], ['#3f8f5b', '#62b578'])) +
    rect([0, 700, 1200, 130], '#6b7280') +
    scroll(200, 16, (x) => rect([x, 758, 96, 9], '#f4ead6')) +
    moved(
      [560, 790 + Math.sin(time * turn * 16) * 2],
      bicycle([0, 0, 1.15], '#e2603c', time * 360 * 8),
      line('M-84 -366 Q0 -500 60 -478 L148 -378', '#2f8fb0', 46),
      line(
        `M-78 -352 L${10 + Math.cos(time * turn * 8) * 26} ${-232 + Math.sin(time * turn * 8) * 26}` +
          ` L${-22 + Math.cos(time * turn * 8 + 1.6) * 50} ${-126 + Math.sin(time * turn * 8 + 1.6) * 50}`,
        '#2f3a55',
        36,
      ),
      oval([82, -536, 40], '#d9a07a'),
      shape('M34 -540 Q40 -600 92 -594 Q136 -586 130 -534 Z', '#f2d23f'),
    ) +
    scroll(110, 24, (x, index) => oval([x, 880, 34 + (index % 3) * 8, 30], '#3f7d3a'))
  )
}

function campfire(size: Size, time: number): string {
  const flame = (scale: number, colour: string, phase: number) => {
    const sway = Math.sin(time * turn * 6 + phase) * 26
    const reach = 1 + Math.sin(time * turn * 10 + phase * 2) * 0.09
    return moved(
      [600, 770, scale],
      shape(
        `M-120 0 Q-150 -120 ${-40 + sway * 0.6} ${-210 * reach} Q${-30 + sway}` +
          ` ${-130} ${10 + sway} ${-330 * reach} Q${60 + sway} -190 ${70 + sway}` +
          ` ${-150} Q150 -100 120 0 Q0 40 -120 0 Z`,
        colour,
      ),
    )
  }
  const sparks = times(14, (index) => {
    const rise = (time * 2 + index * 0.137) % 1
    return faded(
      1 - rise,
      oval([600 + Math.sin(index * 3 + rise * 5) * 130, 620 - rise * 480, 5], '#ffd36b'),
    )
  })
  return (
    sky('night', size) +
    stars(110, [1200, 520], 5) +
    times(13, (index) => pine([index * 100, 660, 1.9 + (index % 3) * 0.5], '#0f1c38')) +
    rect([0, 650, 1200, 250], down('#1a2444', '#0c1226')) +
    oval([600, 700, 460 + Math.sin(time * turn * 8) * 16], glow('#ff9d4a77', '#ff9d4a00')) +
    flame(1, '#ff7a33', 0) +
    flame(0.72, '#ffab40', 1.4) +
    flame(0.42, '#ffe27a', 2.6) +
    moved(
      [600, 790],
      line('M-190 10 L150 -40', '#4a2f20', 46),
      line('M-150 -40 L190 10', '#5a3826', 46),
      times(9, (index) =>
        oval(
          [-210 + index * 52, 40 + (index % 2) * 14, 34, 24],
          index % 2 === 0 ? '#5a6070' : '#474c5c',
        ),
      ),
    ) +
    sparks
  )
}

function seedling(size: Size, time: number): string {
  const grown = 1 - (1 - Math.min(1, time * 1.15)) ** 2
  const height = 430 * grown
  const leaves = times(8, (index) => {
    const from = index * 0.11
    const open = Math.max(0, Math.min(1, (grown - from) * 3))
    if (open === 0) return ''
    const side = index % 2 === 0 ? 1 : -1
    return moved(
      [
        600 + Math.sin(index) * 5,
        640 - Math.min(height, 60 + index * 50),
        open * (1.15 - index * 0.06),
        side * 62 + Math.sin(time * turn * 2 + index) * 4,
      ],
      shape(
        'M0 0 C-44 -50 -36 -130 0 -180 C36 -130 44 -50 0 0 Z',
        index % 3 === 0 ? '#3f8f5b' : '#58ab70',
      ),
      line('M0 0 V-150', '#00000020', 4),
    )
  })
  const bloom = Math.max(0, Math.min(1, (grown - 0.86) * 8))
  const petals = [0, 60, 120, 180, 240, 300].map((angle) =>
    moved([600, 640 - height, bloom, angle], oval([0, -58, 32, 52], '#f25f8a')),
  )
  return (
    room(size, { wall: ['#fdeedd', '#f6d9be'], floor: ['#d9a56c', '#b97f48'], from: 720 }) +
    pane([120, 90, 300, 380], 'day') +
    oval([270 + time * 60, 200, 300], glow('#fff6cc88', '#fff6cc00')) +
    table(size, { from: 720, wood: woods.oak }) +
    line(
      `M600 660 Q${600 + Math.sin(time * turn * 2) * 5} ${640 - height * 0.5} 600 ${640 - height}`,
      '#3f7d4a',
      15,
    ) +
    leaves +
    petals.join('') +
    oval([600, 640 - height, 34 * bloom], '#f2d23f') +
    moved(
      [600, 830],
      shadow([0, 0, 170, 18]),
      shape('M-150 -200 L150 -200 L112 0 L-112 0 Z', '#d2734d'),
      shape('M60 -200 L150 -200 L112 0 L60 0 Z', '#00000018'),
      rect([-168, -226, 336, 54], '#df8058', 10),
      oval([0, -224, 150, 16], '#4b2f22'),
    )
  )
}

function practice(size: Size, time: number): string {
  const melody = [0, 4, 7, 9, 7, 4, 2, 5, 9, 11, 9, 5, 4, 7, 11, 12]
  const beat = Math.floor(time * melody.length) % melody.length
  return (
    rect([0, 0, ...size], down('#2b1b17', '#4a2a20')) +
    oval([260, 180, 420], glow('#ffcf8a88', '#ffcf8a00')) +
    rect([0, 440, 1200, 80], '#1d100c') +
    rect([0, 512, 1200, 14], '#8c2f2f') +
    pianoKeys([-20, 524, 1240, 330], 17, melody[beat]) +
    rect([0, 850, 1200, 50], '#1d100c') +
    candle([240, 440, 1.5]) +
    times(5, (index) => {
      const rise = (time * 4 + index * 0.2) % 1
      return faded(
        Math.sin(rise * Math.PI),
        moved(
          [500 + index * 130 + Math.sin(rise * 6 + index) * 24, 420 - rise * 330, 1.1, -8],
          oval([0, 0, 26, 19], '#ffcf8a'),
          rect([20, -100, 7, 100], '#ffcf8a'),
          shape('M20 -100 q60 16 44 66 q-6 -34 -44 -40 Z', '#ffcf8a'),
        ),
      )
    })
  )
}

function throwing(size: Size, time: number): string {
  const rise = 0.5 - 0.5 * Math.cos(time * turn)
  const [height, half] = [190 + rise * 110, 150 - rise * 30]
  const rings = times(7, (index) => {
    const y = 560 - (index + 0.6) * (height / 7.4)
    const place = (time * 9 + index * 0.13) % 1
    return oval([600 + (place - 0.5) * half * 1.6, y, 26, 5], '#8f5636')
  })
  const hand = (side: number) =>
    moved(
      [600 + side * (half + 26), 540 - height * 0.62, 1, side * (8 + rise * 8)],
      line(`M${side * 210} 150 Q${side * 100} 80 ${side * 10} 20`, '#d9a07a', 74),
      line(
        `M${side * 16} 14 Q${side * -20} 0 ${side * -22} -36 M${side * 22} 34 Q${side * -14} 30 ${side * -26} 14`,
        '#c98a5f',
        26,
      ),
    )
  return (
    room(size, { wall: ['#e6d2c0', '#d3b49c'], floor: ['#9b7a64', '#7a5c48'], from: 640 }) +
    rect([700, 130, 420, 18], '#7a5236') +
    [760, 880, 1000]
      .map((x, index) =>
        moved(
          [x, 130],
          shape(
            'M-40 0 Q-66 -60 -22 -96 L22 -96 Q66 -60 40 0 Z',
            ['#4f8f9c', '#c96f4a', '#2f4858'][index] ?? '',
          ),
        ),
      )
      .join('') +
    pottedPlant([150, 640, 1]) +
    shadow([600, 850, 420, 30]) +
    rect([260, 620, 680, 230], '#5c6b73', 24) +
    rect([220, 590, 760, 56], '#73848d', 18) +
    oval([600, 590, 270, 40], '#8fa0a8') +
    oval(
      [600 + Math.cos(time * turn * 9) * 230, 590 + Math.sin(time * turn * 9) * 30, 12, 5],
      '#66777f',
    ) +
    oval([600, 578, 190, 26], '#6b5a4c') +
    shape(
      `M${600 - half * 0.72} 570 Q${600 - half * 1.25} ${570 - height * 0.5}` +
        ` ${600 - half} ${570 - height} L${600 + half} ${570 - height}` +
        ` Q${600 + half * 1.25} ${570 - height * 0.5} ${600 + half * 0.72}` +
        ' 570 Z',
      across('#9a5f3c', '#c98558', '#a86a44'),
    ) +
    oval([600, 570 - height, half, 26], '#7d4a2c') +
    rings +
    hand(-1) +
    hand(1)
  )
}

function breathing(size: Size, time: number): string {
  const breath = Math.sin(time * turn * 2) * 0.5 + 0.5
  return (
    sky('dawn', size) +
    sun([600, 520 - time * 130, 90], '#fff1c2') +
    hills(size, { base: 560, rise: 70, turn: 0.8, fill: '#8a6aa0' }) +
    water(size, { from: 590, colours: ['#e9a48f', '#8f86ad', '#3e5c86'], glint: '#fff2d0' }) +
    shape('M0 770 Q600 700 1200 770 L1200 900 L0 900 Z', '#3a2c5a') +
    oval([600, 640, 210 + breath * 60], glow('#fff1c266', '#fff1c200')) +
    shape('M330 812 L870 812 L930 856 L270 856 Z', '#2f8f83') +
    `<g transform="translate(600 836) scale(${(1.12 + breath * 0.02).toFixed(4)}` +
    ` ${(1.1 + breath * 0.05).toFixed(4)})">${yogaFigure([0, 0, 1])}` +
    '</g>'
  )
}

export const videos: readonly Clip[] = [
  {
    name: 'sea-swell',
    topics: ['sea', 'beach', 'travel', 'boat', 'wave', 'sky', 'weather', 'openwater', 'view'],
    size: wide,
    width: 640,
    seconds: 8,
    draw: swell,
  },
  {
    name: 'city-lights',
    topics: ['city', 'night', 'travel', 'gig', 'clubrun'],
    size: wide,
    width: 640,
    seconds: 9,
    draw: nightCity,
  },
  {
    name: 'clay-turns',
    topics: ['clay', 'pottery', 'crafts', 'art', 'wheel', 'atelier'],
    size: wide,
    width: 640,
    seconds: 6,
    draw: throwing,
  },
  {
    name: 'pot-steams',
    topics: ['kitchen', 'cooking', 'food', 'dinner', 'soup', 'baking', 'table'],
    size: wide,
    width: 640,
    seconds: 7,
    draw: kitchen,
  },
  {
    name: 'record-spins',
    topics: ['vinyl', 'music', 'home', 'beats', 'recording'],
    size: wide,
    width: 640,
    seconds: 5.4,
    draw: (size, time) => turntable(size, time * 360 * 3),
  },
  {
    name: 'bike-ride',
    topics: ['bike', 'cycling', 'training', 'summer', 'travel'],
    size: wide,
    width: 640,
    seconds: 6,
    draw: ride,
  },
  {
    name: 'campfire',
    topics: ['camping', 'hiking', 'night', 'travel'],
    size: wide,
    width: 640,
    seconds: 10,
    draw: campfire,
  },
  {
    name: 'seedling',
    topics: ['plants', 'garden', 'spring', 'flowers', 'balcony', 'plant', 'pots'],
    size: wide,
    width: 640,
    seconds: 12,
    draw: seedling,
  },
  {
    name: 'piano-practice',
    topics: ['piano', 'music', 'practice', 'singing', 'rehearsal'],
    size: wide,
    width: 640,
    seconds: 8,
    draw: practice,
  },
  {
    name: 'morning-breath',
    topics: [
      'yoga',
      'training',
      'morning',
      'selfcare',
      'workout',
      'swimming',
      'mobility',
      'outdoors',
    ],
    size: wide,
    width: 640,
    seconds: 16,
    draw: breathing,
  },
]

function confetti(size: Size, time: number): string {
  const chance = createChance(4)
  const pieces = times(70, (index) => {
    const [x, speed, start] = [chance() * 900, 1 + (index % 2), chance()]
    return moved(
      [
        x + Math.sin(time * turn + index) * 24,
        ((start + time * speed) % 1) * 980 - 40,
        1,
        time * 360 + index * 40,
      ],
      rect(
        [-14, -9, 28, 18],
        ['#f25f5c', '#ffd23f', '#4ecdc4', '#ffffff', '#b58cff'][index % 5] ?? '',
        3,
      ),
    )
  })
  const beat = 1 + Math.max(0, Math.sin(time * turn * 2)) * 0.1
  return (
    rect([0, 0, ...size], '#5a3d8a') +
    pieces +
    `<g transform="translate(450 500) scale(${beat.toFixed(3)})">` +
    shape(
      'M0 190 C-330 -30 -250 -270 -90 -250 C-40 -244 0 -200 0 -160 C0 -200 40 -244 90 -250 C250 -270 330 -30 0 190 Z',
      '#f2487a',
    ) +
    `${shape('M-150 -180 Q-200 -120 -180 -60 Q-150 -140 -90 -190 Z', '#ffffff80')}` +
    '</g>'
  )
}

function dancingCactus(size: Size, time: number): string {
  const sway = Math.sin(time * turn * 2) * 14
  return (
    rect([0, 0, ...size], '#fbd9a8') +
    oval([450, 470, 350], '#f7c07a') +
    `<g transform="translate(450 640) skewX(${sway.toFixed(1)})">${rect([-80, -430, 160, 440], '#4f9a5a', 80)}` +
    `${line('M-70 -140 H-150 V-250', '#4f9a5a', 64)}${line('M70 -190 H150 V-320', '#4f9a5a', 64)}` +
    `${oval([-30, -300, 12, 17], '#22302a')}${oval([34, -300, 12, 17], '#22302a')}` +
    `${line('M-28 -250 Q2 -214 32 -250', '#22302a', 9)}${oval([-56, -262, 17, 12], '#f2789a')}` +
    `${oval([60, -262, 17, 12], '#f2789a')}${oval([0, -436, 34], '#f2487a')}` +
    '</g>' +
    shape('M310 620 L590 620 L550 830 L350 830 Z', '#d2734d') +
    rect([290, 590, 320, 60], '#df8058', 12)
  )
}

export const gifs: readonly Clip[] = [
  {
    name: 'cat-tail',
    topics: ['cat', 'pets', 'home', 'cosy', 'sofa', 'restday'],
    size: square,
    width: 270,
    seconds: 1.6,
    draw: (size, time) =>
      rect([0, 0, ...size], '#dfeae4') +
      rect([0, 700, 900, 200], '#c9a77a') +
      cat([430, 740, 1.35], { swish: Math.sin(time * turn) * 22 }),
  },
  {
    name: 'dog-wags',
    topics: ['dog', 'pets', 'walk', 'porch'],
    size: square,
    width: 270,
    seconds: 1.2,
    draw: (size, time) =>
      rect([0, 0, ...size], '#8fcdf0') +
      rect([0, 690, 900, 210], '#6fb35c') +
      dog([440, 780, 1.45], ['#d9a05a', '#a86a34', '#fbeedd'], Math.sin(time * turn * 2) * 34),
  },
  {
    name: 'coffee-steam',
    topics: ['coffee', 'morning', 'breakfast', 'tea', 'darkroom'],
    size: square,
    width: 270,
    seconds: 1.6,
    draw: (size, time) =>
      rect([0, 0, ...size], '#f0d5be') +
      rect([0, 660, 900, 240], '#b97f48') +
      mug([430, 740, 2.6], '#e8674f', false) +
      times(3, (index) => {
        const sway = Math.sin(time * turn + index * 2) * 30
        return line(
          `M${350 + index * 80} 420 q${-30 + sway} -60 0 -120 q${30 - sway} -60 0 -120`,
          '#fffaf4',
          22,
        )
      }),
  },
  {
    name: 'hearts',
    topics: ['celebration', 'birthday', 'love', 'thanks'],
    size: square,
    width: 270,
    seconds: 1.6,
    draw: confetti,
  },
  {
    name: 'cactus-dance',
    topics: ['plants', 'garden', 'pots', 'plant'],
    size: square,
    width: 270,
    seconds: 1.6,
    draw: dancingCactus,
  },
]
