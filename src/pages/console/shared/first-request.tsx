import { getApiUrl } from './request-export.ts'
import { CopyButton } from '../../shared/copy-button.tsx'
import { useStoreState } from '../../shared/hooks.ts'

/** If there are no requests yet, shows a command to paste into a terminal. */
export function FirstRequest({ title }: { title: string }) {
  const key = useStoreState((state) => state.about?.keys[0]?.key) ?? 'KEY'
  const line = `curl -H 'Authorization: Bearer ${key}' ${getApiUrl()}/v1/accounts`
  return (
    <div class="empty">
      <p>
        {title} Point your client at {getApiUrl()}, or paste this line into a terminal:
      </p>
      <p class="row">
        <code class="grow">{line}</code> <CopyButton text={line} what="the curl line" />
      </p>
    </div>
  )
}
