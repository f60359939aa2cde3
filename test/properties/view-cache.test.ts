import type { Sandbox } from 'creator-api-sandbox'
import { SandboxError } from 'creator-api-sandbox'
import fc from 'fast-check'
import { it } from 'vitest'
import { createFreshSandbox } from '../support/client.ts'
import { getRunOptions } from '../support/run-options.ts'
import { expectSameText } from '../support/expectations.ts'

const account_id = 100_200_300
const onAccount = <Type extends string>(...types: Type[]) =>
  fc.record({ type: fc.constantFrom(...types), account_id: fc.constant(account_id) })

/** A change that is made to the world between two reads. */
const action = fc.oneof(
  onAccount(
    'subscriber.new',
    'subscriber.renew',
    'subscriber.expire',
    'message.from_fan',
    'message.read',
    'post.comment',
    'post.publish',
  ),
  onAccount(
    'post.unlock',
    'message.unlock',
    'transaction.settle',
    'transaction.reverse',
    'media.ready',
    'link.claim',
    'post.like',
  ),
  fc.record({
    type: fc.constant('tip'),
    account_id: fc.constant(account_id),
    amount: fc.constantFrom(5, 12.5),
  }),
  fc.record({
    type: fc.constant('clock.advance'),
    by: fc.constantFrom('1ms', '900ms', '90s', '7h', '31d'),
  }),
)

const paths = [
  'posts',
  'chats',
  'chats?skip_users=none',
  'subscribers?limit=20',
  'subscribers?type=expired',
  'subscribers/latest',
  'subscribers/top',
  'subscribers/top?by=recent',
  'subscribers/counts',
  'subscribers/following',
  'vault/media',
  'vault/lists',
  'mass-messages',
  'mass-messages/queue',
  'notifications?skip_users=none',
  'earnings',
  'earnings/chart',
  'earnings/overview',
  'payouts/earning-statistics',
  'payouts/balances',
  'tracking-links',
  'trial-links',
  'promotions-trials',
  'schedules',
  'streaks',
  'streaks/top',
  'reach/profile-visitors',
  'reach/profile-visitors/chart',
  'reach/profile-visitors/countries',
  'engagement/posts/likes',
  'highlights/post',
  'direct-messages',
  'direct-messages/chart',
  'mass-messages/chart',
  'tracking-links/overview',
  'trial-links/overview',
  'fm/tracking-links',
  'fm/trial-links',
  'payouts/requests',
  'referrals/payouts/chart',
  'user-lists',
  'lists',
  'posts/labels',
  'me',
]

it('returns the same responses as a world with an empty cache, after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 4 }), async (actions) => {
      const warm = await createFreshSandbox()
      await readAll(warm)
      for (const each of actions) {
        try {
          warm.act(each as Parameters<Sandbox['act']>[0])
        } catch (error) {
          // The world may not contain a suitable fan.
          if (!(error instanceof SandboxError)) throw error
        }
        const cold = await readAll(warm.fork())
        for (const [path, text] of Object.entries(await readAll(warm)))
          expectSameText(text, cold[path] ?? '', path)
      }
    }),
    getRunOptions(2, 60),
  )
})

/** Returns the data of all responses as strings. */
async function readAll(sandbox: Sandbox): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const path of paths) {
    const response = await sandbox.fetch(`${sandbox.baseUrl}/v1/${account_id}/${path}`, {
      headers: { authorization: `Bearer ${sandbox.keys['owner']}` },
    })
    answers[path] = JSON.stringify(((await response.json()) as { data: unknown }).data)
  }
  return answers
}
