import { useLoadedData, useStoreState, useStore } from '../../shared/hooks.ts'
import type { Replay, StoryClientState } from '../../shared/types.ts'

/** Minimum interval between updates, ms. */
const followMs = 500

/**
 * Returns the state of the client that the story brings along. Null if the story has no client, or
 * if a client of the user sends requests.
 */
export function useStoryClient({ at_ms: at }: Replay): StoryClientState | null {
  const { api } = useStore()
  const scenario = useStoreState((state) => state.pulse?.scenario)
  const requests = useStoreState((state) => state.requests.total)
  const { data } = useLoadedData(
    () => api.get<{ client: StoryClientState | null }>('story/client'),
    JSON.stringify([scenario, Math.floor(at / followMs), requests]),
    { pauseMs: followMs },
  )
  return data?.client ?? null
}

/**
 * Shows what a client experiences: the state of each read, and its latest requests.
 * @note The elements of the requests stay in their places and change only their colour, because the
 * browser counts moved elements as a layout shift.
 */
export function ClientPanel({ client }: { client: StoryClientState }) {
  const { reads, outcomes, sent, failed, recovered } = client
  const outages = recovered + reads.filter(({ failures }) => failures > 0).length
  return (
    <section class="stage-client" aria-label="A client of the API">
      <h3>
        A client: <strong>{sent}</strong> {sent === 1 ? 'request' : 'requests'},{' '}
        <strong>{failed}</strong> failed. Outages: <strong>{recovered}</strong> of{' '}
        <strong>{outages}</strong> recovered
      </h3>
      <ul>
        {reads.map(({ name, status, failures }) => (
          <li key={name} class={failures > 0 ? 'failing' : ''}>
            <span>{name}</span> <strong>{describe(status, failures)}</strong>
          </li>
        ))}
      </ul>
      <div class="outcomes" aria-hidden="true">
        {outcomes.map(({ status }, place) => (
          <span key={place} class={status >= 400 ? 'failed' : ''} />
        ))}
      </div>
    </section>
  )
}

function describe(status: number | null, failures: number): string {
  if (status === null) return 'starting'
  if (failures === 0) return 'up to date'
  return `${words[status] ?? 'fails'} (${status})`
}

const words: Readonly<Record<number, string>> = {
  402: 'no credits',
  403: 'expired',
  404: 'gone',
  424: 'login needed',
  429: 'waits',
  502: 'retries',
  503: 'retries',
}
