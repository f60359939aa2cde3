import { createSandbox } from 'creator-api-sandbox'
import { handlers } from 'creator-api-sandbox/msw'
import { setupWorker } from 'msw/browser'

interface Post {
  rawText: string
  media: { type: string; files?: { thumb: { url: string } } }[]
}

const sandbox = createSandbox({ baseUrl: 'https://api.example.test', scenario: 'solo' })
await setupWorker(...handlers(sandbox)).start({ onUnhandledRequest: 'bypass', quiet: true })
await sandbox.ready
const accountId = sandbox.db.accounts.all()[0]?.id ?? 0

element('lapse').addEventListener('click', () => {
  sandbox.act({ type: 'session.lapse', account_id: accountId })
  void show()
})
await show()

async function show(): Promise<void> {
  const response = await fetch(
    `https://api.example.test/v1/${accountId}/posts?limit=3&media_type=photos`,
    {
      headers: { authorization: `Bearer ${sandbox.keys['owner']}` },
    },
  )
  const { data, error } = (await response.json()) as { data?: { list: Post[] }; error?: string }
  element('status').textContent =
    data === undefined ? `${response.status} ${error}` : `${data.list.length} posts`
  element('posts').replaceChildren(...(data?.list ?? []).map(toItem))
}

function toItem({ rawText, media }: Post): HTMLElement {
  const item = document.createElement('li')
  item.append(rawText)
  for (const { files } of media) {
    if (files === undefined) continue
    const image = document.createElement('img')
    // A normal image element: the browser requests the file, and the worker responds.
    image.src = files.thumb.url
    image.alt = ''
    item.append(image)
  }
  return item
}

function element(id: string): HTMLElement {
  return document.querySelector(`#${id}`) as HTMLElement
}
