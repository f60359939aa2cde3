import type { Random } from '../../world/random.ts'
import { hourMs, minuteMs } from '../../lib/time.ts'
import { awakeAfter, momentOf } from '../../seed/moment.ts'
import type { Persona } from '../../seed/persona.ts'
import type { DialogueWriter, Line, Scene } from './dialogue.ts'
import type { PlannedScene } from './scene-plan.ts'

/** A line that was said: when (epoch ms), and of an offer when the fan bought it. */
export interface SaidLine extends Required<Omit<Line, 'isOffer'>> {
  isOffer: true | undefined
  at: number
  boughtAt: number | undefined
}

/** What the scenes of a chat are played with. */
interface Stage {
  writer: DialogueWriter
  persona: Persona
  /** The language that the fan writes. */
  language: string
  /**
   * The end of what can be said, epoch ms: the creator has not answered yet what came shortly
   * before.
   */
  now: number
  /** Until when the fan did anything, epoch ms. */
  lastDeed: number
  /** Whether there is something to sell at that time. */
  canSell: (at: number) => boolean
  /** Whether the fan buys things. */
  canBuy: boolean
}

/** How often an offer is bought, and how often a creator excuses themselves for a late answer. */
const chances = { bought: 0.55, excuse: 0.4 }
/** From which wait on an answer is late, and how long nothing is said between two scenes. */
const lateMs = 9 * hourMs
const restMs = 10 * hourMs

/**
 * Plays the scenes of a chat, at most so many lines: answers come minutes or hours later, and when
 * the creator is awake. A generator: its reader draws from `random` after each line, before the
 * next one is drawn.
 */
export function* playScenes(
  random: Random,
  stage: Stage,
  { scenes, maxLines }: { scenes: readonly PlannedScene[]; maxLines: number },
): Generator<SaidLine> {
  const { language } = stage
  const seen = new Set<unknown>()
  let free = -Infinity
  let left = maxLines
  for (const { at, kind } of scenes) {
    // A scene that would begin in the middle of the last one comes later.
    const start = at >= free ? at : free + random.integer(0, 30) * hourMs
    if (start >= stage.lastDeed) return
    const scene = stage.writer.scene(
      kind === 'sale' && !stage.canSell(start) ? 'talk' : kind,
      momentOf(stage.persona, start),
      {
        language,
        seen,
      },
    )
    // What does not fit is left out as a whole, but for the first scene.
    if (left < maxLines && scene.lines.length > left) return
    for (const line of playScene(random, stage, { scene, start })) {
      if (left === 0) return
      left -= 1
      free = line.at + restMs
      yield line
    }
  }
}

function* playScene(
  random: Random,
  stage: Stage,
  { scene, start }: { scene: Scene; start: number },
): Generator<SaidLine> {
  const { canBuy } = stage
  const isLeft = ({ at: said, isFromFan }: SaidLine) =>
    said < (isFromFan ? stage.lastDeed : stage.now)
  let at = start
  const say = (line: Line, isFirst: boolean): SaidLine => {
    const asked = at
    if (!isFirst)
      at = line.isFromFan
        ? at + random.integer(1, 50) * minuteMs
        : awakeAfter(stage.persona, at + drawPause(random))
    const excuse =
      !line.isFromFan && at - asked > lateMs && random.chance(chances.excuse)
        ? stage.writer.excuse(momentOf(stage.persona, at))
        : undefined
    const { isFromFan, isOffer } = line
    return {
      text: excuse === undefined ? line.text : `${excuse} ${line.text}`,
      isFromFan,
      isOffer,
      at,
      boughtAt: undefined,
    }
  }
  for (const [index, line] of scene.lines.entries()) {
    const said = say(line, index === 0)
    if (!isLeft(said)) return
    const boughtAt = said.at + random.integer(2, 240) * minuteMs
    const isBought =
      said.isOffer === true && canBuy && boughtAt < stage.lastDeed && random.chance(chances.bought)
    if (isBought) said.boughtAt = boughtAt
    yield said
    if (said.isOffer !== true) continue
    if (isBought) at = boughtAt
    for (const next of (isBought ? scene.bought : scene.declined) ?? []) {
      const reaction = say(next, false)
      if (!isLeft(reaction)) return
      yield reaction
    }
  }
}

/** How long a creator lets a fan wait: mostly minutes, sometimes hours. */
function drawPause(random: Random): number {
  const [from, to] = random.weighted(pauses)
  return random.integer(from, to) * minuteMs
}

/** From how many minutes to how many, each with its weight. */
const pauses: readonly (readonly [readonly [number, number], number])[] = [
  [[1, 45], 60],
  [[45, 300], 30],
  [[300, 1100], 10],
]
