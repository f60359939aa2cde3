import type { Sandbox } from '../src/index.ts'
import { timeInTurns } from './measure.ts'
import type { Line } from './measure.ts'
import { accountOf, ask, openSandbox } from './sandboxes.ts'
import type { Built } from './sandboxes.ts'

const sizes = { large: 100_000, small: 1_000 } as const
const claimers = 500

/** Measures routes on an account with 100,000 fans and chats against one with 1,000: the time of a page must not grow with the table. */
export async function benchGrowth({ createSandbox }: Built): Promise<Line[]> {
  const open = (fans: number) => openSandbox(createSandbox, 'empty', { fans, chats: fans, messagesPerChat: 1, transactions: fans * 2 })
  const [large, small] = [await open(sizes.large), await open(sizes.small)]
  const list = (sandbox: Sandbox, query: string) => () => ask(sandbox, 'GET', `/v1/${accountOf(sandbox)}/chats${query}`)
  const spenders = (sandbox: Sandbox) => {
    const body = { account_ids: [accountOf(sandbox)], ...rangesOf(sandbox), sort: 'average_purchase_desc', limit: 20 }
    return () => ask(sandbox, 'POST', '/v1/fans', body)
  }
  return [
    await compare('GET chats', { large: list(large, '?limit=20'), small: list(small, '?limit=20') }),
    await compare('GET chats?filter=unread', {
      large: list(large, '?limit=20&filter=unread'),
      small: list(small, '?limit=20&filter=unread'),
    }),
    await compare('POST fans with two ranges and a sort', { large: spenders(large), small: spenders(small) }),
    await benchLinkStats({ createSandbox }),
  ]
}

/** The same link on both sides, with the same claimers and payments: only the table around it grows. */
async function benchLinkStats({ createSandbox }: Pick<Built, 'createSandbox'>): Promise<Line> {
  const open = (fans: number) =>
    openSandbox(createSandbox, 'empty', {
      fans,
      transactions: fans,
      transactionsPerFan: Array.from({ length: claimers }, () => 4),
      trackingLinks: [{ name: 'Bio', claimers }],
    })
  const stats = (sandbox: Sandbox) => {
    const link = sandbox.db.trackingLinks.all()[0]?.id
    return () => ask(sandbox, 'GET', `/v1/${accountOf(sandbox)}/tracking-links/${link}/stats?date_start=-180d`)
  }
  return compare('GET tracking-links/{id}/stats', { large: stats(await open(sizes.large)), small: stats(await open(sizes.small)) })
}

async function compare(what: string, subjects: Record<'large' | 'small', () => unknown>): Promise<Line> {
  const times = await timeInTurns(subjects, { rounds: 400 })
  const ratio = times.large.median / times.small.median
  const measured = `${ratio.toFixed(2)} x (${times.large.median.toFixed(3)} / ${times.small.median.toFixed(3)} ms)`
  return { what: `${what} at 100,000 fans / 1,000`, measured, budget: '<= 1.50 x', isKept: ratio <= 1.5 }
}

/** Ranges that leave about half of the spenders out, on both sides the same half. */
function rangesOf(sandbox: Sandbox) {
  const spend = sandbox.db.fanSpend.all()
  const middle = (measure: (row: (typeof spend)[number]) => number) =>
    spend.map(measure).toSorted((a, b) => a - b)[Math.floor(spend.length / 4)]
  return { total_spend: { min: middle(({ total }) => total) }, purchase_count: { min: middle(({ count }) => count) } }
}
