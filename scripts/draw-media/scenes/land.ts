import { cloud, hills, peaks, pine, sky, stars, sun, tree, water } from '../outdoors.ts'
import { tall, wide } from '../scene.ts'
import type { Scene } from '../scene.ts'
import {
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

/** A row of firs along a slope, small and even. */
function forestEdge(
  count: number,
  {
    from,
    fill,
    width,
    scale,
    seed,
  }: { from: number; fill: string; width: number; scale: number; seed: number },
): string {
  const chance = createChance(seed)
  return times(count, (index) =>
    pine(
      [(index * width) / (count - 1), from + chance() * 26, scale * (0.75 + chance() * 0.5)],
      fill,
    ),
  )
}

function tent([x, y, scale]: readonly [number, number, number]): string {
  return moved(
    [x, y, scale],
    oval([0, -40, 260, 160], glow('#ffc86a88', '#ffc86a00')),
    shape('M-190 0 L-20 -190 L60 -190 L210 0 Z', '#e2603c'),
    shape('M-190 0 L-20 -190 L90 0 Z', '#f48a4e'),
    shape('M-88 0 L-20 -150 L32 0 Z', '#ffdf9a'),
    shape('M-20 -150 L32 0 L8 0 Z', '#c9502f'),
  )
}

function cabin([x, y, scale]: readonly [number, number, number]): string {
  return moved(
    [x, y, scale],
    rect([-150, -150, 300, 150], '#6b4430'),
    ...[0, 1, 2, 3, 4].map((row) => rect([-150, -128 + row * 28, 300, 5], '#4e2f20')),
    shape('M-190 -146 L0 -290 L190 -146 Z', '#f4f8ff'),
    shape('M-170 -146 L0 -262 L170 -146 Z', '#57372a'),
    rect([86, -296, 44, 90], '#7d5443'),
    rect([80, -306, 56, 16], '#f4f8ff', 6),
    rect([-110, -112, 84, 70], '#ffd777'),
    rect([-70, -112, 6, 70], '#4e2f20'),
    rect([-110, -80, 84, 6], '#4e2f20'),
    rect([36, -116, 66, 116], '#3f281d'),
    oval([90, -56, 5], '#ffd777'),
    faded(
      0.6,
      oval([116, -340, 26, 18], '#ffffff'),
      oval([146, -386, 36, 24], '#ffffff'),
      oval([190, -440, 46, 28], '#ffffff'),
    ),
  )
}

export const landScenes: readonly Scene[] = [
  {
    name: 'mountain-lake',
    topics: [
      'mountains',
      'hiking',
      'travel',
      'autumn',
      'walk',
      'lake',
      'hills',
      'forest',
      'outdoors',
      'view',
      'trail',
      'openwater',
      'summer',
    ],
    size: wide,
    draw: (size) =>
      sky('day', size) +
      cloud([200, 140, 1]) +
      cloud([980, 190, 0.8]) +
      peaks(size, { base: 520, rise: 380, seed: 5, fill: '#6f86a8', snow: '#ffffff' }) +
      hills(size, { base: 520, rise: 50, turn: 2.2, fill: '#c9803d' }) +
      forestEdge(30, { from: 562, fill: '#9a5a2b', width: 1200, scale: 0.5, seed: 2 }) +
      water(size, { from: 560, colours: ['#b98c62', '#5f8aa6', '#2c5a7c'], glint: '#ffffff' }) +
      shape('M0 780 Q220 720 420 800 T700 900 L0 900 Z', '#7a4a26') +
      pine([120, 830, 2], '#35502f') +
      pine([260, 860, 1.5], '#45663a') +
      pine([30, 880, 1.6], '#2b4527'),
  },
  {
    name: 'mountain-dawn',
    topics: ['mountains', 'hiking', 'morning', 'travel', 'hills', 'trail', 'sky', 'view'],
    size: wide,
    draw: (size) =>
      sky('dawn', size) +
      sun([800, 430, 64]) +
      hills(size, { base: 500, rise: 120, turn: 0.3, fill: '#b8789c' }) +
      hills(size, { base: 590, rise: 110, turn: 1.9, fill: '#8a5a90' }) +
      hills(size, { base: 690, rise: 90, turn: 3.4, fill: '#553c72' }) +
      hills(size, { base: 800, rise: 70, turn: 5.2, fill: '#2c2350' }) +
      moved(
        [330, 748],
        oval([0, -96, 15], '#1d1838'),
        shape('M-20 -80 L20 -80 L16 -20 L-16 -20 Z', '#1d1838'),
        shape('M-40 -84 h24 v52 h-24 Z', '#1d1838'),
        line('M-9 -22 L-14 34 M9 -22 L18 32 M18 -70 L42 -36 L48 40', '#1d1838', 9),
      ),
  },
  {
    name: 'meadow-summer',
    topics: [
      'summer',
      'walk',
      'hiking',
      'morning',
      'running',
      'hills',
      'trail',
      'sky',
      'view',
      'outdoors',
      'spring',
    ],
    size: wide,
    draw: (size) => {
      const chance = createChance(12)
      const flowers = times(150, () => {
        const depth = chance()
        const [x, y, r] = [chance() * 1200, 600 + depth * depth * 300, 3 + depth * 9]
        const colour =
          ['#f25f5c', '#ffd23f', '#ffffff', '#c77dff'][Math.floor(chance() * 4)] ?? '#ffffff'
        return (
          line(`M${x.toFixed(0)} ${y.toFixed(0)} v${(r * 2).toFixed(0)}`, '#3f7d3a', 2) +
          oval([x, y, r], colour) +
          oval([x, y, r * 0.35], '#f7b32b')
        )
      })
      return (
        sky('day', size) +
        sun([950, 160, 56], '#fff7c9') +
        cloud([300, 170, 1.3]) +
        cloud([700, 250, 0.8]) +
        hills(size, { base: 470, rise: 70, turn: 0.8, fill: '#8bbf72' }) +
        hills(size, { base: 560, rise: 60, turn: 2.6, fill: '#6aa95a' }) +
        tree([880, 590, 1.5], ['#2f7d4a', '#57a562']) +
        hills(size, { base: 640, rise: 34, turn: 4.4, fill: '#4f9149' }) +
        shape(
          'M560 900 Q640 760 560 690 Q520 650 600 616 L624 616 Q580 650 640 700 Q760 790 760 900 Z',
          '#ecd9a6',
        ) +
        flowers
      )
    },
  },
  {
    name: 'cabin-winter',
    topics: ['winter', 'mountains', 'christmas', 'evening', 'travel', 'snow'],
    size: wide,
    draw: (size) =>
      sky('night', size) +
      stars(120, [1200, 460], 6) +
      peaks(size, { base: 600, rise: 330, seed: 9, fill: '#3d5288', snow: '#dfe9ff' }) +
      hills(size, { base: 620, rise: 40, turn: 1.1, fill: '#b9caf0' }) +
      pine([210, 660, 2.2], '#1f3b4d', '#eef4ff') +
      pine([960, 650, 2.4], '#1f3b4d', '#eef4ff') +
      pine([1100, 690, 1.8], '#25465a', '#eef4ff') +
      hills(size, { base: 700, rise: 36, turn: 2.9, fill: '#dfe9ff' }) +
      cabin([590, 740, 1.15]) +
      oval([560, 800, 260, 44], '#ffe6a855') +
      hills(size, { base: 830, rise: 22, turn: 0.4, fill: '#f4f8ff' }) +
      times(70, (index) =>
        faded(0.8, oval([(index * 173) % 1200, (index * 97) % 880, 2 + (index % 3)], '#ffffff')),
      ),
  },
  {
    name: 'camp-stars',
    topics: ['camping', 'hiking', 'night', 'travel', 'summer'],
    size: wide,
    draw: (size) =>
      sky('night', size) +
      faded(
        0.5,
        moved([600, 300, 1, -24], oval([0, 0, 820, 110], glow('#8aa0e888', '#8aa0e800'))),
      ) +
      stars(220, [1200, 620], 7) +
      hills(size, { base: 620, rise: 90, turn: 2.1, fill: '#1b2650' }) +
      forestEdge(26, { from: 690, fill: '#101a38', width: 1200, scale: 0.8, seed: 5 }) +
      rect([0, 680, 1200, 220], down('#16223f', '#0c1428')) +
      tent([470, 800, 1.15]) +
      moved(
        [830, 820],
        oval([0, -20, 190, 90], glow('#ff9d4a88', '#ff9d4a00')),
        line('M-50 0 L40 -20 M-40 -18 L54 2', '#5a3826', 14),
        shape('M0 -110 C36 -66 34 -14 0 -10 C-36 -14 -34 -60 0 -110 Z', '#ff8f3a'),
        shape('M2 -72 C18 -46 16 -16 0 -14 C-16 -18 -14 -44 2 -72 Z', '#ffe08a'),
      ),
  },
  {
    name: 'forest-autumn',
    topics: ['autumn', 'walk', 'running', 'forest', 'trail', 'outdoors'],
    size: tall,
    draw: (size) => {
      const chance = createChance(21)
      const colours = ['#d9622b', '#e9a03a', '#c0452c', '#f0bd4f'] as const
      const trunks = times(9, (index) => {
        const x = index < 5 ? index * 84 - 40 : 470 + (index - 5) * 128 + 40
        const near = index % 2
        return shape(
          `M${x} ${780 + near * 150} L${x + 14} 0 L${x + 40 + near * 14} 0 L${x + 54 + near * 20} ${780 + near * 150} Z`,
          near === 0 ? '#8a5d47' : '#5a3a2c',
        )
      })
      const leaves = times(120, (index) =>
        oval(
          [chance() * 900, chance() * 470 - 40, 34 + chance() * 44],
          `${colours[index % 4] ?? '#d9622b'}d8`,
        ),
      )
      const fallen = times(90, (index) => {
        const depth = chance()
        return moved(
          [chance() * 900, 770 + depth * 420, 0.6 + depth, chance() * 360],
          oval([0, 0, 13, 7], colours[index % 4] ?? '#d9622b'),
        )
      })
      return (
        rect([0, 0, ...size], down('#ffe9b8', '#f8cf8a', '#e6a563')) +
        oval([450, 620, 300], glow('#fffbe0', '#fffbe000')) +
        trunks +
        leaves +
        shape(
          'M0 740 Q220 700 400 712 L520 712 Q720 700 900 750 L900 1200 L0 1200 Z',
          down('#c8823f', '#8a4f2a'),
        ) +
        shape(
          'M420 712 L500 712 Q520 900 760 1200 L150 1200 Q380 900 420 712 Z',
          down('#f1cf94', '#c99a5f'),
        ) +
        fallen
      )
    },
  },
  {
    name: 'forest-spring',
    topics: ['spring', 'walk', 'running', 'forest', 'morning', 'trail', 'outdoors'],
    size: wide,
    draw: (size) =>
      rect([0, 0, ...size], down('#d8f0e4', '#f7fbe4')) +
      hills(size, { base: 480, rise: 50, turn: 0.7, fill: '#b6dcb4' }) +
      [
        [120, 560, 1.5],
        [340, 540, 1.2],
        [880, 540, 1.3],
        [1090, 570, 1.6],
      ]
        .map(([x = 0, y = 0, s = 1]) => tree([x, y, s], ['#e99ab8', '#fbc8d8']))
        .join('') +
      shape('M0 560 Q300 520 600 548 T1200 556 L1200 900 L0 900 Z', down('#8ccb74', '#4f9a55')) +
      shape(
        'M560 548 L640 548 Q660 700 860 900 L300 900 Q540 700 560 548 Z',
        down('#f5e7c4', '#e0c795'),
      ) +
      tree([60, 800, 2.6], ['#e27fa6', '#f9bcd0']) +
      tree([1130, 820, 2.8], ['#e58bae', '#fbc8d8']) +
      times(60, (index) =>
        moved(
          [
            (index * 397 + index * index * 13) % 1200,
            330 + ((index * 211 + index * index * 7) % 540),
            1,
            index * 40,
          ],
          oval([0, 0, 8, 4], '#f7b4ca'),
        ),
      ) +
      moved(
        [250, 760],
        shadow([70, 70, 150, 12]),
        rect([-60, -10, 250, 16], '#8a5a3a', 4),
        rect([-60, -70, 250, 14], '#9b6844', 4),
        rect([-60, -44, 250, 14], '#9b6844', 4),
        rect([-44, -70, 12, 140], '#4b3226'),
        rect([164, -70, 12, 140], '#4b3226'),
      ),
  },
]
