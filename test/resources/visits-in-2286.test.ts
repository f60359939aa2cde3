import { createSandbox } from 'creator-api-sandbox'
import { expect, it, onTestFinished, vi } from 'vitest'

const end = '2286-11-01T00:00:00Z'

it('computes only the visits in the windows of a request, 260 years after the account joined', async () => {
  const sandbox = createSandbox({ scenario: 'solo' })
  await sandbox.ready
  sandbox.clock.set(end)
  const [account] = sandbox.accounts
  const read = async (path: string) => {
    const response = await sandbox.fetch(`${sandbox.baseUrl}/v1/${account?.id}/${path}`, {
      headers: { 'x-api-key': sandbox.keys['owner'] ?? '' },
    })
    expect(response.status).toBe(200)
    return (await response.json()).data
  }
  // The weekday of each computed day is read once.
  const weekdays = vi.spyOn(Date.prototype, 'getUTCDay')
  onTestFinished(() => void weekdays.mockRestore())
  const paths = ['earnings/overview', 'reach/profile-visitors', 'reach/profile-visitors/countries']
  for (const path of paths) await read(path)
  // Two years, and the two years before them.
  expect(weekdays.mock.calls.length).toBeLessThan(2_000)

  const visitors = async (start: string, until: string) => {
    const path = `reach/profile-visitors?start_date=${start}&end_date=${until}`
    return (await read(path)).topCountries.totals.total as number
  }
  weekdays.mockClear()
  const [whole, early, late] = [
    await visitors('2240-01-01', '2286-10-31'),
    await visitors('2240-01-01', '2250-03-04'),
    await visitors('2250-03-05', '2286-10-31'),
  ]
  expect([whole, early > 0, late > 0]).toEqual([early + late, true, true])
  // 47 years, and the 47 years before them.
  expect(weekdays.mock.calls.length).toBeLessThan(35_000)
})
