/** Base URL and key of the API. */
export interface PostsOptions {
  baseUrl: string
  apiKey: string | undefined
  accountId: number | undefined
}

/**
 * Returns the three latest posts of an account as HTML, or a message about what to do if they
 * cannot be shown.
 */
export async function renderPosts({ baseUrl, apiKey, accountId }: PostsOptions): Promise<string> {
  const response = await fetch(`${baseUrl}/v1/${accountId}/posts?limit=3`, {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  if (response.status === 424) return '<p>Log in again.</p>'
  if (!response.ok) return '<p>Try again in a minute.</p>'
  const { data } = (await response.json()) as { data: { list: { text: string }[] } }
  return `<ul>${data.list.map(({ text }) => `<li>${text}</li>`).join('')}</ul>`
}
