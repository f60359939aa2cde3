import { SandboxError } from '../errors.ts'
import { findNearestWord } from '../lib/nearest-word.ts'
import { templateHelpers } from './template.ts'

/** The values of our own that texts of seeded data can use, besides helpers of faker. */
const textValues: ReadonlySet<string> = new Set([
  'fan.firstName',
  'fan.town',
  'fan.spent',
  'fan.since',
  'account.name',
  'weekday',
  'offer.content',
  'offer.topic',
  'tip.amount',
])

/**
 * Checks a name in a placeholder of a text.
 * @throws {SandboxError} if it is neither a value of ours nor a helper of faker
 */
export function assertKnownPlaceholder(name: string): void {
  if (textValues.has(name) || templateHelpers.has(name)) return
  const near = findNearestWord([...textValues, ...templateHelpers], name)
  throw new SandboxError(
    `there is no {{${name}}}${near === undefined ? '' : `; did you mean {{${near}}}`}`,
  )
}
