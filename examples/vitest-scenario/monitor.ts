/** The state of an account, shown on a dashboard. */
export interface Health {
  accountId: number
  /** `ok`, or the reason why the account's data is outdated. */
  state: 'ok' | 'reconnect' | 'wait' | 'pay' | 'gone'
  /** Number of unread chats; null if unknown. */
  unread: number | null
}

export interface MonitorOptions {
  baseUrl: string
  apiKey: string
}

const states: Readonly<Record<number, Health['state']>> = {
  200: 'ok',
  402: 'pay',
  404: 'gone',
  424: 'reconnect',
}

/**
 * Checks accounts and returns the required action for each: none, log in again, wait, top up, or
 * remove the account.
 */
export class Monitor {
  readonly #options: MonitorOptions

  constructor(options: MonitorOptions) {
    this.#options = options
  }

  async look(accountId: number): Promise<Health> {
    const response = await this.#get(`/v1/${accountId}/chats?filter=unread&limit=100`)
    // All other errors, including 429 and 5xx, are considered temporary.
    const state = states[response.status] ?? 'wait'
    if (!response.ok) return { accountId, state, unread: null }
    const { data } = (await response.json()) as { data: { list: unknown[] } }
    return { accountId, state, unread: data.list.length }
  }

  /**
   * Returns the picture of a vault item, with a new link if the old one has expired, or null if the
   * platform does not provide it.
   */
  async picture(accountId: number, link?: string): Promise<{ link: string; bytes: number } | null> {
    const shown = link ?? (await this.#freshLink(accountId))
    const response = await this.#get(shown)
    if (response.ok) return { link: shown, bytes: (await response.arrayBuffer()).byteLength }
    return response.status === 403 && link !== undefined ? this.picture(accountId) : null
  }

  async #freshLink(accountId: number): Promise<string> {
    const { data } = (await (await this.#get(`/v1/${accountId}/vault/media?limit=1`)).json()) as {
      data: { list: { files: { thumb: { url: string } } }[] }
    }
    return data.list[0]?.files.thumb.url ?? ''
  }

  #get(address: string): Promise<Response> {
    const { baseUrl, apiKey } = this.#options
    return fetch(address.startsWith('/') ? `${baseUrl}${address}` : address, {
      headers: { authorization: `Bearer ${apiKey}` },
    })
  }
}
