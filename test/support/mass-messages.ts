import type { Client } from './client.ts'

/** Path of the account's mass messages. */
const root = 'mass-messages'
/** Returns the time after a number of ms, in the API's format. */
export const later = ({ sandbox }: Client, ms: number) =>
  new Date(sandbox.clock.now() + ms).toISOString()
/** An hour, ms. */
export const hour = 3_600_000

/** Returns fans whom the account has not blocked. */
export const fansOf = ({ sandbox, account }: Client) =>
  sandbox.db.subscriptions
    .where({ accountId: account(), isBlocked: false })
    .map(({ fanId }) => fanId)
/** Returns a mass message's copies in chats. */
export const deliveriesOf = ({ sandbox }: Client, queueId: number) =>
  sandbox.db.messages.where({ queueId })
/** Returns a ready media item of the account. */
export const mediaOf = ({ sandbox, account }: Client) =>
  sandbox.db.vaultMedia.find({ accountId: account(), isReady: true })!.id
/** Sends a mass message and returns its queue item. */
export const send = async (client: Client, body: object) =>
  (await client.postData(root, { text: 'Hello all', ...body })) as {
    id: number
    date: string
    total: number
    isDone: boolean
  }
/** Reads a mass message from the queue. */
export const read = async (client: Client, id: number) =>
  (await client.getData(`${root}/queue/${id}`)).queue
/** Returns the ids in the queue. */
export const queueIds = async (client: Client) =>
  (await client.getData(`${root}/queue`)).list.map(({ id }: { id: number }) => id)
/** Returns a mass message's row in the statistics. */
export const statsOf = async (client: Client, id: number) =>
  (await client.getData(`${root}?limit=100`)).find((row: { id: number }) => row.id === id)

/** Returns the ids of fans who bought a mass message, latest first. */
export const buyersOf = async (client: Client, id: number) =>
  (await client.getData(`${root}/${id}/buyers?limit=100`)).list.map((row: { id: number }) => row.id)

let lastPayment = 900_000_000_000
/** Unlocks a fan's copy of a mass message. */
export function unlockMassMessage({ sandbox, account }: Client, queueId: number, fanId: number) {
  const message = sandbox.db.messages.find({ queueId, fanId })!
  return sandbox.db.transactions.insert({
    id: String((lastPayment += 1)),
    accountId: account(),
    fanId,
    transaction_created_at: sandbox.clock.iso(),
    amount: message.price,
    fee: null,
    vat_amount: null,
    net: message.price,
    currency: 'USD',
    category: 'message',
    status: 'done',
    postId: null,
    isOnStream: false,
    messageId: message.id,
    storyId: null,
  })
}
