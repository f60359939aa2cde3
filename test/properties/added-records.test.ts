import { expect, it } from 'vitest'
import fc from 'fast-check'
import { tableDefinitions } from '../../src/resources/all-tables.ts'
import { expectValidRecords } from '../support/invariants.ts'
import { askAsOwner, createUnlimitedSandbox } from '../support/owner-requests.ts'
import { getRunOptions } from '../support/run-options.ts'

const accountId = 100200300
const text = fc.string({ minLength: 1, maxLength: 40 }).map((each) => `<p>A text: ${each}</p>`)
const price = fc.constantFrom(0, 3, 12.5)
const media = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 3 })

it('adds posts and messages with any content that matches their schemas', async () => {
  const sandbox = await createUnlimitedSandbox('solo')
  const { db } = sandbox
  const [chat] = db.chats.all()
  const vault = db.vaultMedia.where({ accountId, isReady: true })
  const post = async (path: string, body: object): Promise<number> =>
    (await askAsOwner(sandbox, 'POST', `/v1/${accountId}/${path}`, body)).data.id
  await fc.assert(
    fc.asyncProperty(
      fc.record({ text, price, media, days: fc.constantFrom(undefined, 3) }),
      async ({ days, ...content }) => {
        const mediaFiles = [...new Set(content.media)].flatMap((place) => vault[place]?.id ?? [])
        const body = {
          text: content.text,
          mediaFiles,
          price: mediaFiles.length === 0 ? 0 : content.price,
        }
        const made = db.posts.get(await post('posts', { ...body, expireDays: days }))
        expect(JSON.stringify(made)).toBe(JSON.stringify(tableDefinitions.posts.schema.parse(made)))
        const sent = db.messages.get(await post(`chats/${chat?.fanId}/messages`, body))
        expect(JSON.stringify(sent)).toBe(
          JSON.stringify(tableDefinitions.messages.schema.parse(sent)),
        )
      },
    ),
    getRunOptions(15, 500),
  )
  expectValidRecords(sandbox)
})
