import type { ScriptLine, SeedTexts } from '../../seed/seed-texts.ts'
import type { Seeding } from '../../seed/seeding.ts'
import type { ChatSizes } from './sizes.ts'

type Dialogues = SeedTexts['dialogues']
type Script = readonly ScriptLine[]

/**
 * Minimum number of letters, not counting placeholders, for readers to recognise a repeated line.
 */
const memorableLetters = 38

/** Weight of a long chat, relative to a short one. */
const longChatWeight = 6

/** Caches the texts of each account. The key is the account list of a world. */
const dealt = new WeakMap<Seeding['accounts'], ReadonlyMap<number, Dialogues>>()

/**
 * Returns the common texts that an account uses. Creators' lines, stories and memorable fan lines
 * are divided among the accounts with chats, so that no two accounts share them. If only one
 * account has chats, it gets all texts.
 */
export function getAccountDialogues(seeding: Seeding, accountId: number): Dialogues {
  const { accounts, texts } = seeding
  const known = dealt.get(accounts)
  const stocks = known ?? dealStocks(seeding)
  if (known === undefined) dealt.set(accounts, stocks)
  return stocks.get(accountId) ?? texts.dialogues
}

/** Divides the common texts among the accounts with chats, if there are several. */
function dealStocks(seeding: Seeding): ReadonlyMap<number, Dialogues> {
  const chatting = seeding.accounts
    .map(({ id, data }) => [id, getChatWeight(data as ChatSizes)] as const)
    .filter(([, weight]) => weight > 0)
  if (chatting.length < 2) return new Map()
  const { random } = seeding.alike('stock')
  // Owners are drawn while the first account selects its texts. The other accounts select texts in
  // the same order, so they reuse these owners.
  const owners: (number | 'all')[] = []
  return new Map(
    seeding.accounts.map(({ id: accountId }) => {
      let place = 0
      const isOwn = (isForAll: () => boolean = () => false) => {
        const owner = (owners[place] ??= isForAll() ? 'all' : random.pickWeighted(chatting))
        place += 1
        return owner === 'all' || owner === accountId
      }
      return [accountId, selectTexts(seeding.texts.dialogues, isOwn)] as const
    }),
  )
}

/** Returns the texts that `isOwn` accepts, and the texts that all accounts share. */
function selectTexts(
  dialogues: Dialogues,
  isOwn: (isForAll?: () => boolean) => boolean,
): Dialogues {
  const ofFans = (lines: readonly string[]) =>
    lines.filter((line) => isOwn(() => !isMemorable(line)))
  const ofCreators = (lines: readonly string[]) => lines.filter(() => isOwn())
  const script = (lines: Script): Script => {
    const dealt: ScriptLine[] = []
    for (const line of lines) {
      if ('fan' in line) dealt.push({ fan: ofFans(line.fan) })
      else dealt.push('creator' in line ? { creator: ofCreators(line.creator) } : line)
    }
    return dealt
  }
  const scripts = (list: readonly Script[]) => list.map(script)
  const each = (named: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(Object.entries(named).map(([name, lines]) => [name, ofCreators(lines)]))
  return {
    ...dialogues,
    welcomes: scripts(dialogues.welcomes),
    talks: scripts(dialogues.talks),
    quarrels: scripts(dialogues.quarrels),
    returns: scripts(dialogues.returns),
    silences: scripts(dialogues.silences),
    checkins: scripts(dialogues.checkins),
    reactions: scripts(dialogues.reactions),
    memories: scripts(dialogues.memories),
    fanBirthdays: scripts(dialogues.fanBirthdays),
    tempers: Object.fromEntries(
      Object.entries(dialogues.tempers).map(([temper, own]) => [
        temper,
        { ...own, talks: scripts(own.talks) },
      ]),
    ),
    arcs: dialogues.arcs.filter(() => isOwn()),
    offers: dialogues.offers.map((sale) => ({
      ...sale,
      offer: ofCreators(sale.offer),
      reply: ofCreators(sale.reply),
    })),
    thanks: {
      small: ofCreators(dialogues.thanks.small),
      large: ofCreators(dialogues.thanks.large),
      post: ofCreators(dialogues.thanks.post),
      stream: ofCreators(dialogues.thanks.stream),
    },
    cues: each(dialogues.cues),
    languages: Object.fromEntries(
      Object.entries(dialogues.languages).map(([language, own]) => [
        language,
        // The fan begins, then the speakers alternate.
        own.map((turns) => turns.map((turn, place) => (place % 2 === 1 ? ofCreators(turn) : turn))),
      ]),
    ),
  }
}

function getChatWeight({ chats, longChats }: ChatSizes): number {
  return chats + longChats * (longChatWeight - 1)
}

/** True if readers would recognise a line in another chat. */
export function isMemorable(line: string): boolean {
  if (line.length < memorableLetters) return false
  // Placeholders and leading conditions do not count.
  let letters = 0
  let depth = 0
  for (let place = 0; place < line.length; place += 1) {
    const letter = line.charAt(place)
    if (letter === '{' || letter === '(' || letter === '[') depth += 1
    else if (letter === '}' || letter === ')' || letter === ']') depth -= 1
    else if (depth === 0) letters += 1
  }
  return letters >= memorableLetters
}
