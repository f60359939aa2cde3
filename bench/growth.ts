import type { Sandbox } from '../src/index.ts'
import { timeInterleaved } from './measure.ts'
import type { Line } from './measure.ts'
import { createReadRequests } from './reads.ts'
import { findFirstAccount, sendAsOwner, createUnlimitedSandbox } from './sandboxes.ts'
import type { Built } from './sandboxes.ts'

const sizes = { large: 100_000, small: 1_000 } as const

/**
 * Compares an account that has 100,000 fans and chats with an account that has 1,000. The time for
 * a page must not depend on the table size.
 */
export async function benchGrowth({ createSandbox }: Built): Promise<Line[]> {
  const open = (fans: number) =>
    createUnlimitedSandbox(createSandbox, 'empty', {
      fans,
      chats: fans,
      messagesPerChat: 1,
      transactions: fans * 2,
    })
  const [large, small] = [await open(sizes.large), await open(sizes.small)]
  const list = (sandbox: Sandbox, query: string) => () =>
    sendAsOwner(sandbox, 'GET', `/v1/${findFirstAccount(sandbox)}/chats${query}`)
  return [
    await compare('GET chats', {
      large: list(large, '?limit=20'),
      small: list(small, '?limit=20'),
    }),
    await compare('GET chats?filter=unread', {
      large: list(large, '?limit=20&filter=unread'),
      small: list(small, '?limit=20&filter=unread'),
    }),
    await benchEveryRoute({ createSandbox }),
  ]
}

/**
 * Compares all read routes in the scenarios `large` and `agency`. A page must take about the same
 * time in both.
 */
async function benchEveryRoute({ createSandbox }: Built): Promise<Line> {
  const [large, agency] = [
    await createUnlimitedSandbox(createSandbox, 'large'),
    await createUnlimitedSandbox(createSandbox, 'agency'),
  ]
  const ofAgency = new Map(createReadRequests(agency).map((read) => [read.name, read]))
  let worst = { name: 'none', ratio: 0, largeMs: 0 }
  for (const read of createReadRequests(large)) {
    const twin = ofAgency.get(read.name)
    // Routes that are skipped, because the scenario `large` has no stories, promotions, user lists,
    // or related data.
    if (twin === undefined || `${read.url}?`.includes('/undefined')) continue
    const subjects = {
      large: () => sendAsOwner(large, read.method, read.url, read.body),
      small: () => sendAsOwner(agency, twin.method, twin.url, twin.body),
    }
    const times = await timeInterleaved(subjects, { rounds: 60 })
    const ratio = times.large.median / times.small.median
    if (times.large.median >= maxMs && ratio > worst.ratio)
      worst = { name: read.name, ratio, largeMs: times.large.median }
  }
  return {
    what: 'worst route that reads, on large / agency, unless below 0.5 ms',
    measured: `${worst.ratio.toFixed(2)} x (${worst.name}, ${worst.largeMs.toFixed(2)} ms)`,
    budget: '<= 1.30 x',
    isKept: worst.ratio <= 1.3,
  }
}

/** Maximum difference between the two times, ms. Smaller differences are tolerated. */
const maxMs = 0.5

async function compare(
  what: string,
  subjects: Record<'large' | 'small', () => unknown>,
): Promise<Line> {
  const times = await timeInterleaved(subjects, { rounds: 400 })
  const ratio = times.large.median / times.small.median
  const measured = `${ratio.toFixed(2)} x (${times.large.median.toFixed(3)} / ${times.small.median.toFixed(3)} ms)`
  return {
    what: `${what} at 100,000 fans / 1,000`,
    measured,
    budget: '<= 1.50 x',
    isKept: ratio <= 1.5,
  }
}
