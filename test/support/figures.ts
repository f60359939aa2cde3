import type { Sandbox } from 'creator-api-sandbox'
import { expect } from 'vitest'
import { measureSandbox, sources } from '../../scripts/data-report/figures.ts'
import type { AccountFigures, SentFigures } from '../../scripts/data-report/figures.ts'
import { shippedPersonas } from '../../src/generated/persona-index.ts'
import { expectNoViolations } from './invariants.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/**
 * Expects a seeded agency to be realistic: the fans of its connected accounts must join, stay,
 * leave and pay as people do.
 */
export async function expectRealisticData(sandbox: Sandbox): Promise<void> {
  expectNoViolations(sandbox)
  const { accounts, accountsOfFans, fansOfSeveralRates, vatRates } = measureSandbox(sandbox)
  // Excludes accounts that are too small, and accounts that send no mass messages.
  const large = accounts.filter(({ fans, massMessages }) => fans > 160 && massMessages.length > 10)
  expect(large).toHaveLength(3)
  const odd = large.flatMap((account) =>
    listOddities(account).map((what) => `${account.username}: ${what}`),
  )
  const all = large.reduce((sum, { gross }) => sum + gross, 0)
  const share = (part: (account: AccountFigures) => number) =>
    large.reduce((sum, account) => sum + part(account), 0) / all
  const evenings = await Promise.all(large.map((account) => areEvenings(sandbox, account)))
  const agency = listViolatedRules({
    'tips are more than half of the gross': share(({ gross, mix }) => gross * mix.tips) <= 0.5,
    'paydays do not show': share(({ gross, payday }) => gross * payday) > 1.05,
    'accounts joined at one instant':
      new Set(accounts.map(({ joinDate }) => joinDate)).size === accounts.length,
    'no fan is on two accounts': accountsOfFans.length >= 2,
    'the tax of a fan changes': fansOfSeveralRates === 0,
    'all fans pay the same tax': vatRates.length > 5,
    'a message was not sent in the evening': evenings.every(Boolean),
  })
  expect([...odd, ...agency]).toEqual([])
}

/** Tolerance for the share of fans who stay for half a year, which is based on few fans. */
const noise = 0.02
/** Minimum age of an account for a comparison of its cohorts, days. */
const cohortDays = 500

function listOddities({
  churn,
  survival,
  cohorts,
  mix,
  weekdays,
  tips,
  ...account
}: AccountFigures): string[] {
  const [first, third, half, year] = [
    survival[1] ?? 0,
    survival[3] ?? 0,
    survival[6] ?? 0,
    survival[12] ?? 0,
  ]
  const [oldest, newest] = [cohorts[0], cohorts.at(-1)]
  const isYoung = account.days < cohortDays
  return listViolatedRules({
    [`${churn} of the subscribers leave a month`]: churn >= 0.15 && churn <= 0.45,
    [`the survival is ${survival.join(' ')}`]:
      isYoung ||
      (first < 0.85 &&
        first > third &&
        third > half &&
        half >= year - noise &&
        1 - half > half - year),
    'old cohorts are as large as new ones':
      isYoung ||
      (oldest !== undefined && newest !== undefined && oldest.active < (newest.active * 2) / 3),
    'nobody comes back': isYoung || account.returned > 10,
    [`the shares of the gross are ${JSON.stringify(mix)}`]: sources.every(
      (source) => source === 'others' || mix[source] >= 0.02,
    ),
    [`the days of the week bring ${weekdays.join(' ')}`]:
      Math.max(...weekdays) >= 1.07 * Math.min(...weekdays),
    [`the tips are ${JSON.stringify(tips)}`]:
      tips.values >= 12 &&
      tips.least === 5 &&
      tips.most <= 1000 &&
      tips.most >= 75 &&
      tips.odd > 0.05,
    [`more people viewed ${account.postsWithTooManyViews.join()} than could`]:
      account.postsWithTooManyViews.length === 0,
    [`a payment has been on its way for ${account.oldestPending} days`]:
      account.oldestPending <= 21,
    // A small account may have only one of the two.
    'neither a refund nor a chargeback': account.undone.refunds + account.undone.chargebacks > 0,
    [`no large day has a cause: ${JSON.stringify(account.spikes)}`]:
      account.spikes.filter(({ cause }) => cause !== undefined).length >= 1,
    [`what fans spend follows their ids: ${account.spendById}`]: Math.abs(account.spendById) < 0.25,
    ...checkMassMessages(account.massMessages),
  })
}

/** The share of fans who saw a mass message is not checked for fewer recipients than this. */
const fewRecipients = 4

function checkMassMessages(sent: readonly SentFigures[]): Record<string, boolean> {
  const gaps = sent.slice(1).map(({ at }, place) => at - (sent[place]?.at ?? 0))
  const bought = sent.flatMap(({ bought: share }) => share ?? [])
  return {
    [`mass messages go out every ${gaps.map((gap) => Math.round(gap / dayMs)).join(', ')} days`]:
      Math.max(...gaps) > 2.5 * Math.min(...gaps),
    'all mass messages have as many recipients':
      new Set(sent.map(({ recipients }) => recipients)).size > 5,
    [`mass messages are seen by ${sent.map(({ seen }) => seen.toFixed(2)).join(' ')}`]: sent.every(
      ({ seen, recipients }) => recipients < fewRecipients || (seen >= 0.3 && seen <= 0.8),
    ),
    [`mass messages are bought by ${bought.map((share) => share.toFixed(2)).join(' ')}`]:
      bought.length >= 4 &&
      bought.every((share) => share <= 0.2) &&
      bought.filter((share) => share === 0).length <= 0.5 * bought.length,
  }
}

/**
 * True if all mass messages were sent between 18:00 and 22:00 local time, or two hours before an
 * event.
 */
async function areEvenings(
  sandbox: Sandbox,
  { id, massMessages: sent }: AccountFigures,
): Promise<boolean> {
  const persona = await shippedPersonas[sandbox.db.accounts.get(id)?.persona ?? '']?.()
  const hourOf = (at: number) => (at / hourMs + (persona?.default.utcOffset ?? 0) + 24) % 24
  return sent.every(({ at }) => hourOf(at) >= 16 && hourOf(at) < 22)
}

/** Returns the names of the rules that the data violates. */
function listViolatedRules(rules: Record<string, boolean>): string[] {
  return Object.keys(rules).filter((name) => !rules[name])
}
