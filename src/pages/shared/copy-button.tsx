import { useEffect, useState } from 'preact/hooks'
import { useStore } from './hooks.ts'

/** Duration of the success message on the button, ms. */
const successMs = 1_500

/** Button that copies text. `name` and `what` describe the button to screen readers. */
export function CopyButton({
  text,
  what,
  label = 'Copy',
  name = label,
  shortcut,
}: {
  text: string
  what: string
  label?: string
  name?: string
  /** Key that presses the button, for `aria-keyshortcuts`. */
  shortcut?: string | undefined
}) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), successMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <button
      type="button"
      class={isCopied ? 'small ghost copy copied' : 'small ghost copy'}
      aria-keyshortcuts={shortcut}
      title={shortcut && `${name} (${shortcut})`}
      aria-label={isCopied ? `Copied ${what}` : `${name} ${what}`}
      onClick={() => void copyToClipboard(text).then(() => setCopied(true))}
    >
      {/* The label keeps its width, so that no other button moves. */}
      <span>{label}</span>
    </button>
  )
}

/** Button that copies the page URL, including the open item. */
export function CopyLink({ onDone = () => {} }: { onDone?: () => void }) {
  const { attempt, showToast: say } = useStore()
  const copyLink = async () => {
    await copyToClipboard(location.href)
    say('Copied the link.')
    onDone()
  }
  return (
    <button type="button" class="ghost" onClick={() => void attempt(copyLink)}>
      Copy link
    </button>
  )
}

export async function copyToClipboard(text: string): Promise<void> {
  // Browsers only provide the clipboard API over HTTPS and on localhost.
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}
