import { createRandom } from '../world/random.ts'
import type { Random } from '../world/random.ts'

/** The size of a picture, in pixels. */
interface Size {
  width: number
  height: number
}

const skins = ['#f6d7bd', '#ecc19c', '#d9a07a', '#c68a5f', '#a76d45', '#855335', '#633c27'] as const
const hairs = [
  '#201812',
  '#3b2418',
  '#5c3620',
  '#8a5428',
  '#b97a35',
  '#e0b055',
  '#a63a26',
  '#8f8f96',
  '#d9dadf',
  '#4a3a78',
  '#c2487e',
] as const
const clothes = [
  '#e2603c',
  '#2f6f8f',
  '#2f8f83',
  '#e9b44c',
  '#7a5a9c',
  '#c73a4e',
  '#3a4560',
  '#f3ede2',
  '#5a8f4f',
  '#e58bae',
] as const

/** Hair behind and in front of the head, as SVG. The head is centred at 300, 260. */
const styles: readonly (readonly [behind: string, front: string])[] = [
  [
    '',
    'M178 262 Q170 120 300 116 Q430 120 422 262 Q410 196 370 186 Q300 176 230 186 Q190 196 178 ' +
      '262 Z',
  ],
  [
    'M160 470 Q140 110 300 104 Q460 110 440 470 Z',
    'M180 280 Q176 130 300 126 Q424 130 420 280 Q408 200 350 168 Q270 220 180 280 Z',
  ],
  [
    'M168 400 Q140 110 300 104 Q460 110 432 400 Q300 440 168 400 Z',
    'M180 270 Q176 132 300 126 Q424 132 420 270 Q400 206 300 200 Q200 206 180 270 Z',
  ],
  [
    'M246 92 a54 54 0 1 0 108 0 a54 54 0 1 0 -108 0 Z',
    'M180 256 Q174 120 300 116 Q426 120 420 256 Q400 180 300 172 Q200 180 180 256 Z',
  ],
  ['', 'M186 232 Q180 140 300 134 Q420 140 414 232 Q398 190 300 186 Q202 190 186 232 Z'],
  [
    'M150 330 Q110 270 150 220 Q120 150 190 132 Q220 76 300 86 Q380 76 410 132 Q480 150 450 220 ' +
      'Q490 270 450 330 ' +
      'Q440 400 400 380 L200 380 Q160 400 150 330 Z',
    'M182 262 Q180 200 214 190 Q226 158 262 168 Q290 144 318 166 Q356 152 376 186 Q420 200 418 ' +
      '262 Q404 220 300 216 Q196 220 182 262 Z',
  ],
  [
    '',
    'M182 250 Q160 150 240 110 Q330 76 420 140 Q446 190 418 250 Q410 190 330 176 Q250 190 182 250 Z',
  ],
  [
    'M176 290 Q150 450 190 520 L236 500 Q200 400 214 300 Z M424 290 Q450 450 410 520 L364 500 ' +
      'Q400 400 386 300 Z',
    'M180 270 Q176 126 300 120 Q424 126 420 270 Q398 196 306 168 L294 168 Q202 196 180 270 Z',
  ],
  ['', ''],
]

const mouths = [
  'M262 326 Q300 362 338 326',
  'M268 330 Q300 350 332 330',
  'M266 336 L334 332',
  'M262 324 Q300 376 338 324 Z',
  'M280 334 Q310 346 336 326',
] as const

/** Composes a user's avatar. The result depends only on the user id. */
export function drawAvatar(userId: number, { width, height }: Size): string {
  const random = createRandom(0, 'avatar', userId)
  return toSvg(
    { width, height },
    { width: 600, height: 600 },
    random.chance(0.88) ? drawFace(random) : drawScenery(random, 600, 600),
  )
}

/** Draws a user's header picture, a landscape. The result depends only on the user id. */
export function drawHeader(userId: number, { width, height }: Size): string {
  return toSvg(
    { width, height },
    { width: 1900, height: 600 },
    drawScenery(createRandom(0, 'header', userId), 1900, 600),
  )
}

function toSvg(size: Size, drawn: Size, content: string): string {
  const view = `viewBox="0 0 ${drawn.width} ${drawn.height}" preserveAspectRatio="xMidYMid slice"`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" ` +
    `${view}>${content}</svg>`
  )
}

function drawFace(random: Random): string {
  const hue = random.integer(0, 359)
  const [skin, hair, top] = [random.pick(skins), random.pick(hairs), random.pick(clothes)]
  const [behind, front] = random.pick(styles)
  const lean = random.integer(-5, 5)
  const shoulders = random.integer(150, 196)
  const eyes = random.integer(52, 66)
  const head =
    formatPath(behind, hair) +
    formatShape(
      'rect',
      `x="262" y="330" width="76" height="110" rx="34" fill="${darkenColour(skin)}"`,
    ) +
    formatPath(
      `M${300 - shoulders} 620 Q${290 - shoulders} 440 300 424 Q${310 + shoulders} 440 ` +
        `${300 + shoulders} 620 Z`,
      top,
    ) +
    drawCollar(random, top) +
    [182, 418]
      .map((x) =>
        formatShape('ellipse', `cx="${x}" cy="272" rx="20" ry="28" fill="${darkenColour(skin)}"`),
      )
      .join('') +
    formatShape(
      'ellipse',
      `cx="300" cy="262" rx="${random.integer(112, 122)}" ry="${random.integer(132, 146)}" ` +
        `fill="${skin}"`,
    ) +
    (behind === '' ? drawBeard(random, hair) : '') +
    drawHair(random, eyes) +
    formatLine('M300 268 Q290 296 304 300', darkenColour(skin), 7) +
    drawMouth(random) +
    formatPath(front, hair) +
    drawAccessory(random, eyes)
  const [light, dark] = [
    `hsl(${hue} 62% 82%)`,
    `hsl(${(hue + random.integer(20, 60)) % 360} 55% 62%)`,
  ]
  const ground =
    formatGradient('b', [light, dark]) +
    formatShape('rect', 'width="600" height="600" fill="url(#b)"') +
    drawRing(random)
  return `${ground}<g transform="rotate(${lean} 300 600)">${head}</g>`
}

/** Draws the background behind the head: a disc, a stripe or nothing. */
function drawRing(random: Random): string {
  const kind = random.integer(0, 3)
  if (kind === 0)
    return formatShape(
      'circle',
      `cx="${random.integer(220, 380)}" cy="${random.integer(220, 320)}" ` +
        `r="${random.integer(180, 260)}" fill="#fff" opacity="0.28"`,
    )
  return kind === 1
    ? formatPath(
        `M0 ${random.integer(200, 420)} L600 ${random.integer(60, 300)} L600 600 L0 600 Z`,
        '#ffffff3c',
      )
    : ''
}

function drawHair(random: Random, apart: number): string {
  const kind = random.integer(0, 3)
  const iris = random.pick(['#3a2a1c', '#2f4a5c', '#3f5a3a', '#22201f'])
  return [-1, 1]
    .map((side) => {
      const x = 300 + side * apart
      const brow = formatLine(
        `M${x - 26} ${220 - (kind % 2) * 6} Q${x} ${206 - (kind % 2) * 6} ${x + 26} ` +
          `${220 - (kind % 2) * 6}`,
        '#3a281e',
        7,
      )
      if (kind === 3) return brow + formatLine(`M${x - 20} 252 Q${x} 236 ${x + 20} 252`, iris, 8)
      const size = kind === 2 ? 13 : 11
      return (
        brow +
        formatShape('circle', `cx="${x}" cy="250" r="${size}" fill="${iris}"`) +
        formatShape('circle', `cx="${x + 4}" cy="245" r="3.5" fill="#fff"`)
      )
    })
    .join('')
}

function drawMouth(random: Random): string {
  const d = random.pick(mouths)
  return d.endsWith('Z')
    ? formatPath(d, '#8c2f36') +
        formatPath('M272 330 Q300 342 328 330 L326 338 Q300 348 274 338 Z', '#fff')
    : formatLine(d, '#9c4640', 8)
}

function drawBeard(random: Random, hair: string): string {
  const kind = random.integer(0, 7)
  if (kind === 0)
    return formatPath(
      'M186 270 Q190 410 300 416 Q410 410 414 270 Q400 330 340 306 Q300 296 260 306 Q200 330 ' +
        '186 270 Z',
      hair,
    )
  return kind === 1
    ? formatPath('M252 312 Q300 288 348 312 Q330 326 300 316 Q270 326 252 312 Z', hair)
    : ''
}

function drawCollar(random: Random, top: string): string {
  const kind = random.integer(0, 4)
  if (kind === 0)
    return formatPath('M236 436 L300 500 L364 436 L386 452 L300 548 L214 452 Z', '#ffffffb0')
  if (kind === 1)
    return [470, 510, 550]
      .map((y) => formatLine(`M100 ${y + 20} Q300 ${y - 20} 500 ${y + 20}`, '#ffffff90', 13))
      .join('')
  if (kind === 2)
    return formatPath('M240 430 Q300 500 360 430 L372 440 Q300 530 228 440 Z', darkenColour(top))
  return ''
}

function drawAccessory(random: Random, apart: number): string {
  const colour = random.pick(clothes)
  const lenses = (radius: number) =>
    [-1, 1]
      .map(
        (side) =>
          `<circle cx="${300 + side * apart}" cy="252" r="${radius}" fill="#ffffff30" ` +
          `stroke="${random.pick(['#22201f', '#7a3a28', '#2f4a5c'])}" stroke-width="8"/>`,
      )
      .join('')
  const kinds = [
    () =>
      lenses(38) +
      formatLine(`M${300 - apart + 38} 248 Q300 238 ${300 + apart - 38} 248`, '#22201f', 7),
    () =>
      formatPath('M168 200 Q170 90 300 84 Q430 90 432 200 Q300 164 168 200 Z', colour) +
      formatPath('M160 206 Q300 160 440 206 L440 226 Q300 184 160 226 Z', darkenColour(colour)) +
      formatShape('circle', `cx="300" cy="82" r="22" fill="${darkenColour(colour)}"`),
    () =>
      formatPath('M176 196 Q180 96 300 92 Q420 96 424 196 Z', colour) +
      formatPath('M300 190 Q420 176 500 206 Q420 222 300 206 Z', darkenColour(colour)),
    () =>
      [180, 420]
        .map((x) => formatShape('circle', `cx="${x}" cy="312" r="11" fill="${colour}"`))
        .join(''),
    () => formatLine('M180 210 Q300 150 420 210', colour, 26),
    () =>
      [-1, 1]
        .map((side) =>
          formatShape(
            'ellipse',
            `cx="${300 + side * 74}" cy="300" rx="24" ry="15" fill="#f0806a" opacity="0.45"`,
          ),
        )
        .join(''),
  ]
  return kinds[random.integer(0, kinds.length + 3)]?.() ?? ''
}

/** Draws a landscape: a sky with a sun, and hills or a city skyline. */
function drawScenery(random: Random, width: number, height: number): string {
  const hue = random.pick([8, 22, 196, 212, 226, 248, 276, 312, 338]) + random.integer(-8, 8)
  const sky = [
    `hsl(${hue} 60% 45%)`,
    `hsl(${(hue + 24) % 360} 68% 66%)`,
    `hsl(${(hue + 44) % 360} 85% 84%)`,
  ]
  const light = formatShape(
    'circle',
    `cx="${random.integer(width * 0.15, width * 0.85)}" ` +
      `cy="${random.integer(height * 0.2, height * 0.5)}" ` +
      `r="${random.integer(34, 80)}" fill="#fff6dc"`,
  )
  const isCity = random.chance(0.3)
  const layers = [0, 1, 2, 3].map((layer) => {
    const base = height * (0.5 + layer * 0.13)
    const fill = `hsl(${(hue + 20 + layer * 12) % 360} ${40 + layer * 4}% ${52 - layer * 11}%)`
    return isCity && layer > 0
      ? drawHouses(random, { width, height, base, fill })
      : drawHills(random, { width, height, base, fill })
  })
  return (
    formatGradient('s', sky) +
    formatShape('rect', `width="${width}" height="${height}" fill="url(#s)"`) +
    light +
    layers.join('')
  )
}

interface Layer extends Size {
  base: number
  fill: string
}

function drawHills(random: Random, { width, height, base, fill }: Layer): string {
  const [long, short, rise] = [random.next() * 6, random.next() * 6, random.integer(20, 70)]
  const points = Array.from({ length: 41 }, (_, step) => {
    const place = (step / 40) * (width / 300)
    return (
      `${Math.round((step / 40) * width)} ` +
      `${Math.round(base - (Math.sin(place + long) + Math.sin(place * 2.7 + short) * 0.4) * rise)}`
    )
  })
  return formatPath(`M0 ${height} L${points.join(' L')} L${width} ${height} Z`, fill)
}

function drawHouses(random: Random, { width, height, base, fill }: Layer): string {
  let [d, x] = [`M0 ${height}`, 0]
  while (x < width) {
    const top = Math.round(base - random.integer(10, 150))
    const next = Math.min(width, x + random.integer(36, 90))
    d += ` L${x} ${top} L${next} ${top}`
    x = next
  }
  return formatPath(`${d} L${width} ${height} Z`, fill)
}

function formatGradient(id: string, colours: readonly string[]): string {
  const stops = colours.map(
    (colour, index) => `<stop offset="${index / (colours.length - 1)}" stop-color="${colour}"/>`,
  )
  return `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops.join('')}</linearGradient>`
}

function formatShape(name: string, attributes: string): string {
  return `<${name} ${attributes}/>`
}

function formatPath(d: string, fill: string): string {
  return d === '' ? '' : `<path d="${d}" fill="${fill}"/>`
}

function formatLine(d: string, stroke: string, width: number): string {
  return (
    `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" ` +
    `stroke-linecap="round"/>`
  )
}

/** Darkens a colour. */
function darkenColour(colour: string): string {
  const parts = [1, 3, 5].map((start) =>
    Math.round(Number.parseInt(colour.slice(start, start + 2), 16) * 0.86),
  )
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
