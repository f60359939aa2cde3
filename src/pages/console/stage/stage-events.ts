import { formatDollars, formatMessage } from '../../shared/format.ts'
import type { About, AppliedAction, Row } from '../../shared/types.ts'

/**
 * Meaning of an event, which selects its colour and icon. `trouble`: money that is taken back, or a
 * failure. `refused`: a refused request. `team`: a request of the story, such as an answer to a fan.
 */
export type Meaning = 'money' | 'trouble' | 'refused' | 'good' | 'team' | 'plain'

/** An action, described for an audience. */
export interface StageEvent {
  id: string
  /** Sandbox time, RFC 3339. */
  at: string
  /** Initials of the person who acted, or null if no person did. */
  initials: string | null
  /** URL of the person's picture. */
  face: string | null
  meaning: Meaning
  text: string
  /** Amount of money, or the status of a request. */
  amount: string | null
  /** Explains how the creator's share differs from the amount. */
  detail: string | null
}

/**
 * Action types that the stage does not show: captions are shown elsewhere, and views are too
 * frequent.
 */
const unsaid = new Set(['note', 'chapter', 'post.view', 'clock.advance'])
/** Types that only developers need. */
const technical = new Set(['leap', 'request'])
const byPeople =
  /^(subscriber\.|tip|message\.|post\.(comment|like|unlock)|link\.claim|user\.delete)/

const meanings: Readonly<Record<string, Meaning>> = {
  'session.lapse': 'trouble',
  'fault.add': 'trouble',
  'account.disconnect': 'trouble',
  'upstream.refuse': 'trouble',
  'transaction.reverse': 'trouble',
  'session.restore': 'good',
  'fault.clear': 'good',
  'account.connect': 'good',
  request: 'team',
  'message.read': 'team',
}

/** Sentences that only developers understand, and their replacements. */
const plainWords: readonly (readonly [RegExp, string])[] = [
  [/^Fault \d+: \S+ \S*?(\w+) .*/, 'The platform cannot deliver: $1'],
  [/^\d+ faults? removed$/, 'The platform works again'],
  [/^A payment of (\S+) by (.+) is being reversed$/, '$2 asks the bank to take $1 back'],
  [/^A payment by (.+) was reversed$/, 'The bank gave $1 the money back'],
  [/^A payment by (.+) was settled$/, 'The payment by $1 arrived'],
]

/**
 * Describes actions for an audience. Names replace usernames and ids, and the amount is a separate
 * field. `isTechnical` adds requests and clock changes.
 */
export function toActionEvents(
  happenings: readonly AppliedAction[],
  accounts: About['accounts'],
  { max, isTechnical }: { max: number; isTechnical: boolean },
): readonly StageEvent[] {
  return happenings
    .filter(
      ({ type, shown }) =>
        !unsaid.has(type) && (isTechnical || shown !== undefined || !technical.has(type)),
    )
    .slice(0, max)
    .map((action) => toActionEvent(action, accounts, isTechnical))
}

function toActionEvent(
  { id, at, type, text, shown, ids, payment }: AppliedAction,
  accounts: About['accounts'],
  isTechnical: boolean,
): StageEvent {
  // The money moves only when a reversal is final.
  const isAnnounced = text.endsWith('is being reversed')
  const moved = shown === undefined && !isAnnounced ? /\$[\d,]+(?:\.\d\d)?/.exec(text)?.[0] : null
  const amount = moved ?? null
  const meaning = meanings[type] ?? (amount === null ? 'plain' : 'money')
  const sign = type === 'transaction.reverse' ? '−' : ''
  const plain = toPlain((isTechnical ? null : shown) ?? leaveOut(text, amount), accounts)
  return {
    id: `action ${id}`,
    at,
    face: typeof ids?.['fan'] === 'number' ? `files/${ids['fan']}/avatar_c144.svg` : null,
    initials: byPeople.test(type) ? getInitials(plain) : null,
    meaning,
    text: formatMessage(plain),
    amount: amount === null ? null : `${sign}${amount}`,
    detail: amount === null ? null : explainShare(payment, sign),
  }
}

/** Removes an amount that is shown separately, with the word before it. */
function leaveOut(text: string, amount: string | null): string {
  if (amount === null) return text
  return text.replace(
    new RegExp(` (?:(?:for|of) )?${amount.replace(/[$.]/g, String.raw`\$&`)}`),
    '',
  )
}

/**
 * Describes client requests for an audience. Leaves out requests sent from pages or by the story.
 */
export function toRequestEvents(rows: readonly Row[], max: number): readonly StageEvent[] {
  return rows
    .filter((row) => row.asked_by === 'client')
    .slice(0, max)
    .map(({ id, at, method, path, status, error }) => ({
      id: `request ${id}`,
      at,
      face: null,
      initials: null,
      meaning: status === 0 || status >= 400 ? 'refused' : 'team',
      text: `Your client: ${method} ${toShortPath(path)}${error === null ? '' : `, ${error}`}`,
      amount: status === 0 ? 'cut' : String(status),
      detail: null,
    }))
}

/** Merges two lists, newest first. */
export function mergeStageEvents(
  a: readonly StageEvent[],
  b: readonly StageEvent[],
  max: number,
): readonly StageEvent[] {
  return [...a, ...b].toSorted((one, other) => other.at.localeCompare(one.at)).slice(0, max)
}

/** `− $1.17 tax − $1.80 fee = $6.02 yours`. For money that is taken back, `−$6.02 of it yours`. */
function explainShare(payment: AppliedAction['payment'], sign: string): string | null {
  if (payment === undefined || payment.net === payment.amount) return null
  if (sign !== '') return `${sign}${formatDollars(payment.net)} of it yours`
  const parts = [
    [payment.tax, 'tax'],
    [payment.fee, 'fee'],
  ] as const
  const taken = parts
    .filter(([dollars]) => dollars > 0)
    .map(([dollars, name]) => `− ${formatDollars(dollars)} ${name} `)
  return `${taken.join('')}= ${formatDollars(payment.net)} yours`
}

/** `/v1/101/chats/2001/messages?limit=5` is `…/chats/…/messages`. */
function toShortPath(path: string): string {
  const [address = ''] = path.split('?')
  return address.replace(/^\/v1\/(?:\d+\/)?/, '…/').replace(/\/\d{3,}/g, '/…')
}

function toPlain(text: string, accounts: About['accounts']): string {
  const named = accounts.reduce((all, { username }) => {
    const name = toName(username)
    const full = all.replaceAll(username, name)
    // If there is only one account, its name says nothing.
    return accounts.length > 1 ? full : full.replace(` to ${name}`, '').replace(` of ${name}`, '')
  }, text)
  const readable = named
    .replace(/ \([a-z]+_[a-z_]+\)| \(tip\)/g, '')
    .replace(/ on post \d{6,}| post \d{6,}/g, (match) =>
      match.startsWith(' on') ? ' on a post' : ' a post',
    )
    .replace(/ asked (\w+) \/v1\/(?:\S*\/)?(\D[^\s/?]*)\S*$/, ' asked the API: $1 …/$2')
    .replace(/(\d{4}-\d\d-\d\d)( (?=\d\d:))?/g, (_, date: string, space = '') =>
      // Keeps a date and its time on one line.
      `${stageDate.format(new Date(date))}${space}`.replaceAll(' ', '\u00A0'),
    )
  const [pattern, words] = plainWords.find(([each]) => each.test(readable)) ?? []
  return pattern === undefined ? readable : readable.replace(pattern, words ?? '')
}

const stageDate = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

/** `mara_lindqvist` is Mara Lindqvist. */
function toName(username: string): string {
  return username.replace(
    /(?:^|_)([a-z])/g,
    (match, letter: string) => `${match.startsWith('_') ? ' ' : ''}${letter.toUpperCase()}`,
  )
}

function getInitials(text: string): string {
  const [first = '', second = ''] = text.split(' ')
  return `${first.slice(0, 1)}${/^\p{Lu}/u.test(second) ? second.slice(0, 1) : ''}`
}
