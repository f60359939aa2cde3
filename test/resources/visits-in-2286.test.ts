import { createSandbox } from 'creator-api-sandbox'
import { expect, it, onTestFinished, vi } from 'vitest'

it('sums up 260 years of visits with one short step for each day', async () => {
  const sandbox = createSandbox({ scenario: 'solo' })
  await sandbox.ready
  sandbox.clock.set('2286-11-01T00:00:00Z')
  const [account] = sandbox.accounts
  const weekdays = vi.spyOn(Date.prototype, 'getUTCDay')
  onTestFinished(() => void weekdays.mockRestore())
  const { status } = await sandbox.fetch(`${sandbox.baseUrl}/v1/${account?.id}/earnings/overview`, {
    headers: { 'x-api-key': sandbox.keys['owner'] ?? '' },
  })
  expect(status).toBe(200)
  // There are about 95,000 days. The weekday of each is read once, and its habits are not computed
  // again.
  expect(weekdays.mock.calls.length).toBeLessThan(100_000)
})
