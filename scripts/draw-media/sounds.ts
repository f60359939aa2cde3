import { createChance } from './svg.ts'

/** A sound to make. */
export interface Sound {
  name: string
  topics: readonly string[]
  /** The picture that is its cover. */
  cover: string
  seconds: number
  extension: 'mp3' | 'm4a'
  bitrate: string
  /** Plays it into samples from -1 to 1. */
  play: (samples: Float64Array) => void
}

/** The samples of a second. */
export const sampleRate = 44_100

const note = (semitones: number) => 220 * 2 ** (semitones / 12)

/** A plucked string, by Karplus and Strong: a burst of noise that a loop softens. */
function pluck(
  samples: Float64Array,
  {
    at,
    frequency,
    seconds,
    volume,
  }: { at: number; frequency: number; seconds: number; volume: number },
): void {
  const chance = createChance(Math.round(at * 1000 + frequency))
  const loop = Float64Array.from(
    { length: Math.round(sampleRate / frequency) },
    () => chance() * 2 - 1,
  )
  const start = Math.round(at * sampleRate)
  for (let index = 0; index < seconds * sampleRate && start + index < samples.length; index += 1) {
    const place = index % loop.length
    const value = loop[place] ?? 0
    loop[place] = (value + (loop[(place + 1) % loop.length] ?? 0)) * 0.498
    samples[start + index] = (samples[start + index] ?? 0) + value * volume
  }
}

/** A tone with overtones that dies away. */
function strike(
  samples: Float64Array,
  {
    at,
    frequency,
    seconds,
    volume,
  }: { at: number; frequency: number; seconds: number; volume: number },
): void {
  const start = Math.round(at * sampleRate)
  for (let index = 0; index < seconds * sampleRate && start + index < samples.length; index += 1) {
    const time = index / sampleRate
    const attack = Math.min(1, time * 90)
    const phase = 2 * Math.PI * frequency * time
    const tone =
      Math.sin(phase) +
      0.42 * Math.sin(phase * 2.001) * Math.exp(-time * 2) +
      0.18 * Math.sin(phase * 3.003) * Math.exp(-time * 4)
    samples[start + index] =
      (samples[start + index] ?? 0) + tone * volume * attack * Math.exp((-time * 3.2) / seconds)
  }
}

const chords = [
  [0, 7, 12, 16, 19],
  [-3, 4, 9, 12, 16],
  [-7, 0, 5, 9, 12],
  [-5, 2, 7, 11, 14],
] as const

export const sounds: readonly Sound[] = [
  {
    name: 'guitar-take',
    topics: ['guitar', 'music', 'singing', 'practice', 'rehearsal', 'recording', 'gig'],
    cover: 'guitar-corner',
    seconds: 13,
    extension: 'mp3',
    bitrate: '32k',
    play(samples) {
      const pattern = [0, 2, 3, 4, 3, 2, 1, 3]
      for (let step = 0; step < 46; step += 1) {
        const chord = chords[Math.floor(step / 8) % 4] ?? chords[0]
        pluck(samples, {
          at: step * 0.28,
          frequency: note(chord[pattern[step % 8] ?? 0] ?? 0) / 2,
          seconds: 2.4,
          volume: step % 8 === 0 ? 0.42 : 0.3,
        })
      }
    },
  },
  {
    name: 'sea-waves',
    topics: ['sea', 'wave', 'weather', 'openwater', 'outdoors'],
    cover: 'sea-dawn',
    seconds: 11,
    extension: 'm4a',
    bitrate: '24k',
    play(samples) {
      const chance = createChance(77)
      let low = 0
      for (let index = 0; index < samples.length; index += 1) {
        const time = index / sampleRate
        const swell = 0.25 + 0.75 * Math.max(0, Math.sin((2 * Math.PI * time) / 5.3 - 0.6)) ** 2
        low += (chance() * 2 - 1 - low) * (0.02 + swell * 0.1)
        samples[index] = low * swell * 1.3
      }
    },
  },
  {
    name: 'studio-beat',
    topics: ['beats', 'drums', 'recording'],
    cover: 'studio-desk',
    seconds: 10.4,
    extension: 'mp3',
    bitrate: '32k',
    play(samples) {
      const chance = createChance(5)
      const add = (at: number, seconds: number, sound: (time: number) => number) => {
        const start = Math.round(at * sampleRate)
        for (
          let index = 0;
          index < seconds * sampleRate && start + index < samples.length;
          index += 1
        )
          samples[start + index] = (samples[start + index] ?? 0) + sound(index / sampleRate)
      }
      const beat = 60 / 92
      for (let step = 0; step * beat * 0.5 < 10.4; step += 1) {
        const at = step * beat * 0.5
        if ([0, 3, 4, 7].includes(step % 8) && step % 8 !== 4)
          add(
            at,
            0.32,
            (time) =>
              Math.sin(2 * Math.PI * (50 * time + 5 * (1 - Math.exp(-time * 24)))) *
              Math.exp(-time * 9) *
              0.9,
          )
        if (step % 4 === 2)
          add(
            at,
            0.2,
            (time) =>
              (chance() * 2 - 1) * Math.exp(-time * 22) * 0.4 +
              Math.sin(2 * Math.PI * 190 * time) * Math.exp(-time * 26) * 0.3,
          )
        add(
          at,
          0.06,
          (time) => (chance() * 2 - 1) * Math.exp(-time * 80) * (step % 2 === 0 ? 0.16 : 0.09),
        )
        strike(samples, {
          at,
          frequency: note([-12, -12, -5, -9, -12, -2, -5, -9][step % 8] ?? 0) / 2,
          seconds: 0.5,
          volume: 0.2,
        })
      }
    },
  },
  {
    name: 'piano-lullaby',
    topics: ['piano', 'evening'],
    cover: 'piano-keys',
    seconds: 15,
    extension: 'm4a',
    bitrate: '24k',
    play(samples) {
      const melody = [
        16, 19, 24, 19, 16, 12, 14, 16, 12, 9, 12, 16, 14, 11, 14, 19, 16, 19, 24, 28, 24, 19, 21,
        19, 16, 12, 14, 16, 12,
      ]
      for (const [step, semitones] of melody.entries())
        strike(samples, { at: step * 0.72, frequency: note(semitones), seconds: 2.6, volume: 0.2 })
      for (let bar = 0; bar < 7; bar += 1)
        for (const [place, semitones] of (chords[bar % 4] ?? chords[0]).slice(0, 3).entries())
          strike(samples, {
            at: bar * 2.88 + place * 0.36,
            frequency: note(semitones) / 2,
            seconds: 3,
            volume: 0.14,
          })
    },
  },
  {
    name: 'kitchen-bells',
    topics: ['kiln', 'bells', 'breakfast'],
    cover: 'coffee-window',
    seconds: 10.2,
    extension: 'm4a',
    bitrate: '24k',
    play(samples) {
      const bells = [12, 16, 19, 24, 21, 19, 16, 14, 12, 19, 24, 28]
      for (const [step, semitones] of bells.entries())
        strike(samples, {
          at: step * 0.62,
          frequency: note(semitones + 12),
          seconds: 2.2,
          volume: 0.2,
        })
    },
  },
]
