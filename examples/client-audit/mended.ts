import type { Access, Row } from './report.ts'

interface Page {
  data: { list: { id: number; media: { files: { thumb: { url: string } } }[] }[] }
  _pagination?: { next_page: string | null }
}

/** Reports the number of posts, the views of each, and the size of its picture. */
export async function report({ baseUrl, apiKey, accountId }: Access): Promise<Row[]> {
  const get = async <Answer>(path: string) => {
    const response = await fetch(`${baseUrl}${path}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    })
    if (!response.ok) throw new Error(`${response.status} from ${path}`)
    return (await response.json()) as Answer
  }
  const rows: Row[] = []
  let path: string | null | undefined = `/v1/${accountId}/posts?limit=100&media_type=photos`
  while (path) {
    const page: Page = await get(path)
    for (const { id, media } of page.data.list) {
      const { data } = await get<{ data: { lookCount: number } }>(
        `/v1/${accountId}/posts/${id}/stats?with_chart=false`,
      )
      const picture = await fetch(media[0]?.files.thumb.url ?? '')
      rows.push({ id, views: data.lookCount, picture: (await picture.arrayBuffer()).byteLength })
    }
    path = page._pagination?.next_page
  }
  return rows
}
