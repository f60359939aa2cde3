import type { Exchange } from './exchange.ts'

/** Describes the first request for which the previous and the current response differ. */
export function describeDifference(
  before: readonly Exchange[],
  now: readonly Exchange[],
): string[] {
  const length = Math.max(before.length, now.length)
  for (let index = 0; index < length; index += 1) {
    const [old, present] = [before[index], now[index]]
    if (JSON.stringify(old) === JSON.stringify(present)) continue
    return describeExchangeDifference(old, present)
  }
  return [
    '  No answer differs when it is asked again: the answer depends on chance or on real time.',
  ]
}

function describeExchangeDifference(
  before: Exchange | undefined,
  now: Exchange | undefined,
): string[] {
  const path = before && now ? findDifferingPath(parse(before.body), parse(now.body)) : undefined
  return [
    ...(before?.request === now?.request
      ? [`  ${truncateLine(now?.request ?? '')}`]
      : [
          `  - ${truncateLine(before?.request ?? 'not sent')}`,
          `  + ${truncateLine(now?.request ?? 'not sent')}`,
        ]),
    ...listHeadDifferences(before, now),
    ...(path === undefined ? [] : path.map((line) => `  ${line}`)),
    '',
    ...formatFromDifference('Before', before, now?.body),
    '',
    ...formatFromDifference('Now', now, before?.body),
  ]
}

/** Lists differences in status and headers. */
function listHeadDifferences(before: Exchange | undefined, now: Exchange | undefined): string[] {
  const [old, present] = [formatHeads(before), formatHeads(now)]
  return [
    ...old.filter((line) => !present.includes(line)).map((line) => `  - ${line}`),
    ...present.filter((line) => !old.includes(line)).map((line) => `  + ${line}`),
  ]
}

function formatHeads(exchange: Exchange | undefined): string[] {
  if (exchange === undefined) return []
  const headers = Object.entries(exchange.headers).map(([name, value]) => `${name}: ${value}`)
  return [`status ${exchange.status}`, ...headers]
}

/** Formats a response. The body starts shortly before the first difference. */
function formatFromDifference(title: string, exchange: Exchange | undefined, other = ''): string[] {
  if (exchange === undefined) return [`${title}: no answer.`]
  const { body } = exchange
  let same = 0
  while (same < body.length && body[same] === other[same]) same += 1
  const from = body.length <= most ? 0 : Math.max(0, same - most / 4)
  const text = `${from > 0 ? '… ' : ''}${body.slice(from, from + most)}`
  const rest = from + most < body.length ? ` … (${body.length} characters)` : ''
  return [`${title}:`, ...formatHeads(exchange).map((line) => `  ${line}`), '', `  ${text}${rest}`]
}

const most = 3000

/** Finds the first path at which two values differ, and returns both values at that path. */
function findDifferingPath(before: unknown, now: unknown, path = 'body'): string[] | undefined {
  if (JSON.stringify(before) === JSON.stringify(now)) return undefined
  if (!isObject(before) || !isObject(now) || Array.isArray(before) !== Array.isArray(now))
    return [
      path,
      `- ${truncateLine(JSON.stringify(before))}`,
      `+ ${truncateLine(JSON.stringify(now))}`,
    ]
  for (const key of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const inside = Array.isArray(before) ? `${path}[${key}]` : `${path}.${key}`
    const found = findDifferingPath(before[key], now[key], inside)
    if (found !== undefined) return found
  }
  return [`${path}: the same fields in another order`]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function truncateLine(text = 'undefined'): string {
  return text.length > 500 ? `${text.slice(0, 500)} …` : text
}
