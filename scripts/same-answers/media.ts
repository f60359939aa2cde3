import type { Sandbox } from 'creator-api-sandbox'
import type { Exchange } from './exchange.ts'
import { sendAll, sendRequest } from './send.ts'
import { findBroadestKey } from './subject.ts'

/** Opens more vault files within a minute than the limit allows, which returns 429. */
export async function exceedFileLimit(sandbox: Sandbox, account: number): Promise<Exchange[]> {
  const key = findBroadestKey(sandbox, account)
  const links = new Set<string>()
  for (let offset = 0; offset < 300; offset += 100) {
    const url = `/v1/${account}/vault/media?limit=100&offset=${offset}`
    const { body } = await sendRequest(sandbox, { method: 'GET', url, key })
    for (const [, link = ''] of body.matchAll(
      /"https:\/\/api\.example\.test(\/media-proxy\?[^"]*)"/g,
    ))
      links.add(link)
  }
  return await sendAll(sandbox, [
    ...[...links].slice(0, 302).map((url) => ({ method: 'HEAD', url })),
    ...[...links].slice(301, 303).map((url) => ({ method: 'GET', url })),
  ])
}
