import { formatDollars } from '../../shared/format.ts'
import type { About, AppliedAction, Row } from '../../shared/types.ts'

/** An action, described for an audience. */
export interface StageEvent {
  id: string
  /** Sandbox time, RFC 3339. */
  at: string
  /** Initials of the person who acted, or null if no person did. */
  initials: string | null
  /** URL of the person's picture. */
  face: string | null
  /** Index of the person's colour, from 0 to 5. */
  tint: number
  text: string
  /** Amount of money, if any. */
  amount: string | null
  /** The creator's share of the amount, if different. */
  share: string | null
  isBad: boolean
}

/**
 * Action types that the stage does not show: captions are shown elsewhere, and views are too
 * frequent.
 */
const unsaid = new Set(['note', 'chapter', 'post.view', 'clock.advance'])
const byPeople = /^(subscriber\.|tip|message\.|post\.(comment|like|unlock)|link\.claim)/
const bad =
  /^(session\.lapse|fault\.add|account\.disconnect|upstream\.refuse|transaction\.reverse|subscriber\.expire)$/

/**
 * Describes actions for an audience. Names replace usernames and ids, and the amount is a separate
 * field.
 */
export function toActionEvents(
  happenings: readonly AppliedAction[],
  accounts: About['accounts'],
  max: number,
): readonly StageEvent[] {
  return happenings
    .filter(({ type }) => !unsaid.has(type))
    .slice(0, max)
    .map(({ id, at, type, text, ids, payment }) => {
      const amount = /\$[\d,]+(?:\.\d\d)?/.exec(text)?.[0] ?? null
      const plain = toPlain(
        amount === null
          ? text
          : text.replace(
              new RegExp(` (?:(?:for|of) )?${amount.replace(/[$.]/g, String.raw`\$&`)}`),
              '',
            ),
        accounts,
      )
      const isPerson = byPeople.test(type)
      const face = typeof ids?.['fan'] === 'number' ? `files/${ids['fan']}/avatar_c144.svg` : null
      return {
        id: `action ${id}`,
        at,
        face,
        initials: isPerson ? getInitials(plain) : null,
        tint: getTint(plain),
        text: plain,
        amount,
        share: amount === null ? null : formatCreatorShare(payment),
        isBad: bad.test(type),
      }
    })
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
      tint: 5,
      text: `Your client: ${method} ${toShortPath(path)}${error === null ? '' : `, ${error}`}`,
      amount: status === 0 ? 'cut' : String(status),
      share: null,
      isBad: status === 0 || status >= 400,
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

function formatCreatorShare(payment: AppliedAction['payment']): string | null {
  return payment === undefined || payment.net === payment.amount
    ? null
    : `you get ${formatDollars(payment.net)}`
}

/** `/v1/101/chats/2001/messages?limit=5` is `…/chats/…/messages`. */
function toShortPath(path: string): string {
  const [address = ''] = path.split('?')
  return address.replace(/^\/v1\/(?:\d+\/)?/, '…/').replace(/\/\d{3,}/g, '/…')
}

function toPlain(text: string, accounts: About['accounts']): string {
  const named = accounts.reduce(
    (all, { username }) => all.replaceAll(username, toName(username)),
    text,
  )
  return named
    .replace(/ \([a-z]+_[a-z_]+\)/g, '')
    .replace(/ on post \d{6,}| post \d{6,}/g, (match) =>
      match.startsWith(' on') ? ' on a post' : ' a post',
    )
    .replace(/ asked (\w+) \/v1\/(?:\S*\/)?(\D[^\s/?]*)\S*$/, ' asked the API: $1 …/$2')
}

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

function getTint(text: string): number {
  return (
    [...text.split(' ').slice(0, 2).join(' ')].reduce(
      (sum, letter) => sum + (letter.codePointAt(0) ?? 0),
      0,
    ) % 6
  )
}
