import type { Random } from '../../world/random.ts'
import type { Moment } from '../../seed/moment.ts'
import type { Line as PersonaLine, Persona } from '../../seed/persona.ts'
import { Speaker } from '../../seed/phrases.ts'
import type { ScriptLine, SeedTexts } from '../../seed/seed-texts.ts'

/** A line of a chat, as plain text. */
export interface Line {
  text: string
  isFromFan: boolean
  /** Whether the line offers media for sale. */
  isOffer?: true
}

/**
 * A scene of a chat: the lines up to an offer, or to its end; after an offer, those of each
 * outcome.
 */
export interface Scene {
  lines: readonly Line[]
  /** What is said once the fan has bought what the last line offers. */
  bought?: readonly Line[]
  /** What is said when they have not. */
  declined?: readonly Line[]
}

/** What a scene is about. */
export type SceneKind = 'welcome' | 'talk' | 'sale' | 'quarrel' | 'return' | 'birthday' | 'silence'

/**
 * How often creators talk about their trade, fans write their own language, a buyer wants the money
 * back, a fan says why not to buy.
 */
const chances = { trade: 0.6, ownLanguage: 0.8, refund: 0.05, decline: 0.35 }

/**
 * Writes the dialogues of one creator with fans: from the scripts that all have, and from those of
 * the persona.
 */
export class DialogueWriter {
  readonly #random: Random
  readonly #texts: SeedTexts['dialogues']
  readonly #persona: Persona
  readonly #fans: Speaker
  readonly #creator: Speaker

  constructor(
    random: Random,
    { texts, persona }: { texts: Pick<SeedTexts, 'dialogues'>; persona: Persona },
  ) {
    this.#random = random
    this.#texts = texts.dialogues
    this.#persona = persona
    this.#fans = new Speaker(random, { words: { ...persona.words, ...texts.dialogues.words } })
    this.#creator = new Speaker(random, persona)
  }

  /** Writes what a fan says first. */
  open(moment: Moment): string {
    const { lines } = this.scene('talk', moment)
    return lines[0]?.text ?? ''
  }

  /** Writes a scene with a fan who writes that language, and who has `seen` some scenes before. */
  scene(
    kind: SceneKind,
    moment: Moment,
    { language = 'en', seen = new Set<unknown>() }: { language?: string; seen?: Set<unknown> } = {},
  ): Scene {
    const { welcomes, talks, quarrels, returns, birthdays, silences, languages } = this.#texts
    const { chat } = this.#persona
    const own = languages[language]
    if (own !== undefined && kind !== 'birthday' && this.#random.chance(chances.ownLanguage)) {
      // The first one is a welcome, and said once.
      const turns = kind === 'welcome' ? own[0] : this.#fresh(own.slice(1), seen)
      if (turns !== undefined) return this.#turns(turns, moment)
    }
    if (kind === 'welcome') return this.#script(welcomes, moment, seen)
    if (kind === 'quarrel') return this.#script(quarrels, moment, seen)
    if (kind === 'return') return this.#script(returns, moment, seen)
    if (kind === 'birthday') return this.#script(birthdays, moment, seen)
    if (kind === 'silence') return this.#script(silences, moment, seen)
    const sale = kind === 'sale' ? this.#fresh(chat.sales, seen) : undefined
    if (sale !== undefined) return this.#sale(sale, moment)
    const talk = this.#random.chance(chances.trade) ? this.#fresh(chat.talks, seen) : undefined
    return talk === undefined ? this.#script(talks, moment, seen) : this.#turns(talk, moment)
  }

  /** What the creator says first when they let a fan wait; undefined when they say nothing. */
  excuse(moment: Moment): string | undefined {
    return this.#creator.say(this.#cue('late'), moment)
  }

  /** Draws a scene that the fan has not seen; undefined when there is none. */
  #fresh<Item>(items: readonly Item[], seen: Set<unknown>): Item | undefined {
    const fresh = items.filter((item) => !seen.has(item))
    if (fresh.length === 0) return undefined
    const drawn = this.#random.pick(fresh)
    seen.add(drawn)
    return drawn
  }

  #sale({ ask, offer, thanks, reply }: Persona['chat']['sales'][number], moment: Moment): Scene {
    const chosen = new Map<string, string>()
    const fan = (line: PersonaLine | readonly string[]): Line => ({
      text: this.#fans.say(toPhrases(line), moment, chosen) ?? '',
      isFromFan: true,
    })
    const creator = (line: PersonaLine): Line => ({
      text: this.#creator.say(toPhrases(line), moment, chosen) ?? '',
      isFromFan: false,
    })
    return {
      lines: [fan(ask), { ...creator(offer), isOffer: true }],
      bought: this.#random.chance(chances.refund)
        ? this.#script(this.#texts.refunds, moment).lines
        : [fan(thanks), ...(reply === undefined ? [] : [creator(reply)])],
      declined: this.#random.chance(chances.decline) ? [fan(this.#texts.declines)] : [],
    }
  }

  #script(
    scripts: readonly (readonly ScriptLine[])[],
    moment: Moment,
    seen = new Set<unknown>(),
  ): Scene {
    // A script whose first line does not fit the moment is not for now; one that the fan has seen
    // comes again when no other turns up, but never with the same first words.
    for (let draw = 0; draw < 12; draw += 1) {
      const script = this.#random.pick(scripts)
      if (draw < 6 && seen.has(script)) continue
      const lines = this.#tell(script, moment)
      const [first] = lines
      if (first === undefined || seen.has(first.text)) continue
      if (draw < 9 && lines.some(({ text }) => seen.has(text))) continue
      seen.add(script)
      for (const { text } of lines) seen.add(text)
      return { lines }
    }
    return { lines: [] }
  }

  #tell(script: readonly ScriptLine[], moment: Moment): Line[] {
    const chosen = new Map<string, string>()
    const lines: Line[] = []
    for (const line of script) {
      const isFromFan = 'fan' in line
      const phrases = 'fan' in line ? line.fan : 'cue' in line ? this.#cue(line.cue) : line.creator
      const text = (isFromFan ? this.#fans : this.#creator).say(phrases, moment, chosen)
      if (text === undefined) return lines
      lines.push({ text, isFromFan })
    }
    return lines
  }

  /** A dialogue in turns, the fan first. */
  #turns(lines: readonly PersonaLine[] | readonly (readonly string[])[], moment: Moment): Scene {
    const chosen = new Map<string, string>()
    return {
      lines: lines.map((line, index) => {
        const isFromFan = index % 2 === 0
        return {
          text: (isFromFan ? this.#fans : this.#creator).say(toPhrases(line), moment, chosen) ?? '',
          isFromFan,
        }
      }),
    }
  }

  #cue(name: string): readonly string[] {
    return this.#persona.chat.cues[name] ?? this.#texts.cues[name] ?? []
  }
}

function toPhrases(line: string | readonly string[]): readonly string[] {
  return typeof line === 'string' ? [line] : line
}
