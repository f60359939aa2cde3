import type { Access, Row } from './report.ts'

/**
 * Reports the number of posts, the views of each, and the size of its picture. Works only if no
 * request fails.
 */
export async function report({ baseUrl, apiKey, accountId }: Access): Promise<Row[]> {
  const get = async (address: string) => {
    let response = await fetch(address, { headers: { authorization: `Bearer ${apiKey}` } })
    for (let attempt = 0; attempt < 3 && !response.ok; attempt += 1)
      response = await fetch(address, { headers: { authorization: `Bearer ${apiKey}` } })
    return response
  }
  const rows: Row[] = []
  for (let offset = 0; offset < 2; offset += 1) {
    const posts = `${baseUrl}/v1/${accountId}/posts?page_size=100&media_type=photos&api_key=${apiKey}`
    const { data } = (await (await get(posts)).json()) as {
      data: { list: { id: number; media: { files: { thumb: { url: string } } }[] }[] }
    }
    for (const { id, media } of data.list.slice(offset, offset + 1)) {
      const stats = await get(`${baseUrl}/v1/${accountId}/posts/${id}/statistics`)
      const picture = await fetch(`${media[0]?.files.thumb.url}&width=200`)
      rows.push({ id, views: stats.ok ? 1 : 0, picture: (await picture.arrayBuffer()).byteLength })
    }
  }
  return rows
}
