import { createFetch } from '../src/sandbox/fetch.ts'
import type { Call } from '../src/api/route.ts'
import { summariseTimes, timeInterleaved } from './measure.ts'
import type { Line } from './measure.ts'
import { findFirstAccount, sendAsOwner, createUnlimitedSandbox } from './sandboxes.ts'
import type { Built } from './sandboxes.ts'

const requests = 10_000
const budgetMs = 50

/**
 * Measures how long it takes to audit a long journal. The journal contains the requests of a client
 * that reads lists and single posts, and makes changes.
 */
export async function benchAudit({ createSandbox }: Pick<Built, 'createSandbox'>): Promise<Line> {
  const sandbox = await createUnlimitedSandbox(createSandbox, 'solo', undefined, requests)
  const account = findFirstAccount(sandbox)
  for (let count = 0; count < requests / 4; count += 1) {
    sandbox.clock.advance(100)
    await sendAsOwner(sandbox, 'GET', `/v1/${account}/posts?limit=3`)
    await sendAsOwner(sandbox, 'GET', `/v1/${account}/chats?limit=5`)
    await sendAsOwner(sandbox, 'POST', `/v1/${account}/vault/lists`, { name: `List ${count}` })
    await sendAsOwner(sandbox, 'GET', `/v1/${account}/posts/${count}/stats`)
  }
  const times: number[] = []
  for (let round = 0; round < 25; round += 1) {
    const start = performance.now()
    await sandbox.audit()
    times.push(performance.now() - start)
  }
  const { median } = summariseTimes(times)
  return {
    what: `audit of ${requests.toLocaleString('en')} requests`,
    measured: `${median.toFixed(0)} ms`,
    budget: `<= ${budgetMs} ms`,
    isKept: median <= budgetMs,
  }
}

/** Measures how much slower requests are when the journal stores data for the audit. */
export async function benchJournalCost({
  createSandbox,
}: Pick<Built, 'createSandbox'>): Promise<Line> {
  const sandbox = await createUnlimitedSandbox(createSandbox, 'agency', undefined, 1_000)
  const url = `${sandbox.baseUrl}/v1/${findFirstAccount(sandbox)}/posts?limit=10`
  const asking = (handle: (call: Call) => ReturnType<typeof sandbox.handle>) => {
    const fetch = createFetch({ baseUrl: sandbox.baseUrl, handle })
    return async () => {
      const response = await fetch(url, {
        headers: { authorization: `Bearer ${sandbox.keys.owner}` },
      })
      await response.arrayBuffer()
    }
  }
  const { kept, dropped } = await timeInterleaved(
    {
      kept: asking((call) => sandbox.handle(call)),
      dropped: asking((call) => sandbox.handle(Object.assign(call, { headers: undefined }))),
    },
    { rounds: 8_000 },
  )
  const ratio = kept.median / dropped.median
  return {
    what: 'a request with headers in the journal for the audit / without',
    measured: `${ratio.toFixed(3)} x (${kept.median.toFixed(3)} / ${dropped.median.toFixed(3)} ms)`,
    budget: '<= 1.03 x',
    isKept: ratio <= 1.03,
  }
}
