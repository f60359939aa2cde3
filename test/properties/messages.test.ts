import type { Sandbox } from 'creator-api-sandbox'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { expectNoViolations } from '../support/invariants.ts'
import { createFreshSandbox } from '../support/client.ts'
import { askAsOwner, readAsOwner, walkIdsAsOwner } from '../support/owner-requests.ts'
import { getRunOptions } from '../support/run-options.ts'

const step = fc.record({
  kind: fc.constantFrom('write', 'send', 'unsend', 'hide', 'read', 'pin'),
  seconds: fc.integer({ min: 0, max: 2 }),
})

async function take(
  sandbox: Sandbox,
  { kind, seconds }: { kind: string; seconds: number },
  { account, fan }: { account: number; fan: number },
): Promise<void> {
  if (kind === 'write' || kind === 'send') sandbox.clock.advance(`${seconds}s`)
  const chat = sandbox.db.chats.find({ accountId: account, fanId: fan })!
  const since = new Date(sandbox.clock.now() - 86_000_000).toISOString()
  const last = sandbox.db.messages
    .where(
      (message) => message.chatId === chat.id && !message.isFromFan && message.createdAt > since,
    )
    .at(-1)
  if (kind === 'write') sandbox.act({ type: 'message.from_fan', account_id: account, fan_id: fan })
  if (kind === 'send')
    await askAsOwner(sandbox, 'POST', `/v1/${account}/chats/${fan}/messages`, { text: 'Hello' })
  if (kind === 'unsend' && last !== undefined)
    await askAsOwner(sandbox, 'DELETE', `/v1/${account}/messages/${last.id}`)
  if (kind === 'hide') await askAsOwner(sandbox, 'POST', `/v1/${account}/chats/${chat.id}/hide`)
  if (kind === 'read') await askAsOwner(sandbox, 'POST', `/v1/${account}/chats/${fan}/mark-as-read`)
  if (kind === 'pin' && last !== undefined)
    await askAsOwner(sandbox, 'POST', `/v1/${account}/messages/${last.id}/pin`, { withUserId: fan })
}

it('chats are consistent after any messages, unsends, hides, reads and pins', async () => {
  const base = await createFreshSandbox('solo')
  const account = base.db.accounts.all()[0]!.id
  const chats = base.db.chats.where(
    ({ accountId, fanId }) => accountId === account && base.db.fans.get(fanId)?.isActive !== false,
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...chats),
      fc.array(step, { maxLength: 25 }),
      fc.integer({ min: 1, max: 9 }),
      async ({ id, fanId }, steps, limit) => {
        const sandbox = base.fork()
        for (const each of steps) await take(sandbox, each, { account, fan: fanId })
        const path = `/v1/${account}/chats/${fanId}/messages?limit=${limit}`
        const newest = await walkIdsAsOwner(sandbox, path)
        const messages = sandbox.db.messages
          .where({ chatId: id })
          .toSorted((a, b) =>
            a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : b.id - a.id,
          )
        expect(newest).toEqual(messages.map((message) => message.id))
        expect(await walkIdsAsOwner(sandbox, `${path}&order=asc`)).toEqual(newest.toReversed())
        expect((await walkIdsAsOwner(sandbox, `${path}&filter=pinned`)).toSorted()).toEqual(
          messages
            .filter(({ isPinned }) => isPinned)
            .map((message) => message.id)
            .toSorted(),
        )
        const { list }: { list: { isNew?: boolean }[] } = await readAsOwner(
          sandbox,
          `/v1/${account}/chats/${fanId}/messages?limit=100`,
        )
        const chat = sandbox.db.chats.get(id)!
        expect(list.filter(({ isNew }) => isNew)).toHaveLength(chat.unreadCount)
        // The list omits hidden chats, and chats of which all messages were unsent.
        const listed = await walkIdsAsOwner(sandbox, `/v1/${account}/chats?limit=${limit}`)
        expect(listed.includes(id)).toBe(!chat.isHidden && messages.length > 0)
        const shown = sandbox.db.chats.where(
          ({ accountId, isHidden, lastMessageId }) =>
            accountId === account && !isHidden && lastMessageId !== 0,
        )
        expect(listed.toSorted()).toEqual(shown.map((each) => each.id).toSorted())
        expectNoViolations(sandbox)
      },
    ),
    getRunOptions(6, 150),
  )
})
