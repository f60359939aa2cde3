/** Base URL and key of the API. */
export interface InboxOptions {
  baseUrl: string
  apiKey: string | undefined
  accountId: number | undefined
}

/** A chat in the inbox. */
export interface Unread {
  fanId: number
  text: string
}

/** Reads the unread chats of an account. Returns `reconnect` if its session has expired. */
export async function readInbox({
  baseUrl,
  apiKey,
  accountId,
}: InboxOptions): Promise<Unread[] | 'reconnect'> {
  const response = await fetch(`${baseUrl}/v1/${accountId}/chats?filter=unread&limit=5`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  if (response.status === 424) return 'reconnect'
  if (!response.ok) throw new Error(`The inbox cannot be read: ${response.status}.`)
  const { data } = (await response.json()) as {
    data: { list: { withUser: { id: number }; lastMessage: { text: string } }[] }
  }
  return data.list.map(({ withUser, lastMessage }) => ({
    fanId: withUser.id,
    text: lastMessage.text,
  }))
}
