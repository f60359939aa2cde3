import autocannon from 'autocannon'
import { hasBrowser, openBrowser } from '../test/support/browser.ts'
import { raiseRateLimits, readResidentMegabytes, startBuiltServer } from './http.ts'
import type { Running } from './http.ts'
import { summariseTimes } from './measure.ts'
import type { Line } from './measure.ts'

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 14)
const secondsPerTurn = Number(process.env['BENCH_SECONDS'] ?? 1)
const connections = 20
const journalSize = 100_000

/**
 * Measures the cost of the console: API speed while the console is open and a story plays, and the
 * memory used by a long journal and a long story.
 */
export async function benchConsole({ playSeconds }: { playSeconds: number }): Promise<Line[]> {
  return [await benchThroughput(), ...(await benchLongPlay(playSeconds))]
}

async function benchThroughput(): Promise<Line> {
  // Starts two servers with the same account, the same posts, and running clocks.
  const [plain, watched] = [
    await startBuiltServer('--scenario', 'agency'),
    await startBuiltServer('replay', 'viral-post'),
  ]
  try {
    const gates = new Map([
      [plain, await raiseRateLimits(plain.url)],
      [watched, await raiseRateLimits(watched.url)],
    ])
    const rate = async (server: Running, duration: number) => {
      const { headers = {}, path = '' } = gates.get(server) ?? {}
      const result = await autocannon({ url: server.url + path, headers, connections, duration })
      if (result.non2xx > 0 || result.errors > 0)
        throw new Error(`${result.non2xx} refused, ${result.errors} failed`)
      return result.requests.average
    }
    const open = async () => {
      const close = openConsole(watched)
      const result = await rate(watched, secondsPerTurn)
      close()
      return result
    }
    const ratios: number[] = []
    // Measures both servers in alternating order, so that warm-up and speed changes of the machine
    // affect both equally.
    for (let round = -3; round < rounds; round += 1) {
      const early = round % 2 === 0 ? await rate(plain, secondsPerTurn) : undefined
      const watchedRate = await open()
      const plainRate = early ?? (await rate(plain, secondsPerTurn))
      if (round >= 0) ratios.push(watchedRate / plainRate)
    }
    const ratio = summariseTimes(ratios).median
    return {
      what: 'GET posts with the console open and a story playing / without',
      measured: `${ratio.toFixed(2)} x`,
      budget: '>= 0.90 x',
      isKept: ratio >= 0.9,
    }
  } finally {
    for (const { process: child } of [plain, watched]) child.kill()
  }
}

async function benchLongPlay(seconds: number): Promise<Line[]> {
  const ours = await startBuiltServer(
    'replay',
    'viral-post',
    '--paused',
    '--journal-size',
    String(journalSize),
  )
  try {
    const { headers, path } = await raiseRateLimits(ours.url)
    // Requests a page whose response is small enough to be stored in the journal.
    const small = path.replace(/posts.*/, 'notifications/tabs-order')
    await autocannon({ url: ours.url + small, headers, connections, amount: journalSize })
    const kept = await countJournalEntries(ours)
    const close = openConsole(ours)
    await commandStory(ours, { command: 'play', speed: 1000, loop: true })
    const clicks = hasBrowser() ? await clickThrough(ours) : undefined
    let highest = 0
    for (const end = performance.now() + seconds * 1000; performance.now() < end; await pause(500))
      highest = Math.max(highest, readResidentMegabytes(ours))
    close()
    const memory = {
      what: `memory with a journal of ${kept.toLocaleString('en')} requests, ${seconds} s of play at speed 1,000 in loops`,
      measured: `${highest.toFixed(0)} MB`,
      budget: 'reported',
      isKept: true,
    }
    if (clicks === undefined) return [memory]
    const slowest = Math.max(...clicks)
    return [
      memory,
      {
        what: 'time of a click on the page during play: median, slowest',
        measured: `${summariseTimes(clicks).median.toFixed(0)} ms, ${slowest.toFixed(0)} ms`,
        budget: '<= 1,000 ms',
        isKept: slowest <= 1_000,
      },
    ]
  } finally {
    ours.process.kill()
  }
}

/**
 * Counts the journal entries page by page, as the console does. Reading all entries in a single
 * request would distort the measurement.
 */
async function countJournalEntries({ url }: Running): Promise<number> {
  const pageSize = 1_000
  for (let kept = 0, before = ''; ;) {
    const answer = await fetch(`${url}/_sandbox/requests?brief=true&limit=${pageSize}${before}`)
    const rows = (await answer.json()) as { id: number }[]
    kept += rows.length
    if (rows.length < pageSize) return kept
    before = `&before=${rows.at(-1)?.id}`
  }
}

/**
 * Sends the same requests as the console page: the event stream, the journal twice a second, and
 * the plots once a second. Returns a function that stops the requests.
 */
function openConsole({ url }: Running): () => void {
  const gone = new AbortController()
  const read = (path: string) =>
    fetch(`${url}/_sandbox/${path}`, { signal: gone.signal })
      .then((response) => response.text())
      .catch(() => '')
  void read('events')
  const timers = [
    setInterval(() => void read('requests?brief=true&limit=100'), 500),
    setInterval(() => void read('series'), 1_000),
  ]
  return () => {
    gone.abort()
    for (const timer of timers) clearInterval(timer)
  }
}

/**
 * Measures how long the real page takes to show the next journal page while the story plays, ms.
 */
async function clickThrough({ url }: Running): Promise<number[]> {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(`${url}/_sandbox/#requests`)
    await page.locator('tbody tr').first().waitFor()
    const times: number[] = []
    for (let turn = 0; turn < 20; turn += 1) {
      const before = (await page.locator('.pager .help').textContent()) ?? ''
      const start = performance.now()
      await page.getByRole('button', { name: 'Older' }).click()
      await page.waitForFunction(
        (text) => document.querySelector('.pager .help')?.textContent !== text,
        before,
      )
      times.push(performance.now() - start)
    }
    return times
  } finally {
    await browser.close()
  }
}

async function commandStory({ url }: Running, command: Record<string, unknown>): Promise<void> {
  const answer = await fetch(`${url}/_sandbox/replay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(command),
  })
  if (!answer.ok) throw new Error(await answer.text())
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
