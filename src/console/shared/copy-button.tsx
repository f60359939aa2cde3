import { useEffect, useState } from 'preact/hooks'
import { useStore } from './hooks.ts'

/** Time for which the button shows that it succeeded, ms. */
const successMs = 1_500

/** A button that copies text. `what` describes the text for screen readers. */
export function CopyButton({
  text,
  what,
  label = 'Copy',
}: {
  text: string
  what: string
  label?: string
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
      class={isCopied ? 'small copy copied' : 'small copy'}
      aria-label={isCopied ? `Copied ${what}` : `${label} ${what}`}
      onClick={() => void copyToClipboard(text).then(() => setCopied(true))}
    >
      {/* The label keeps its width, so that no other button moves. */}
      <span>{label}</span>
    </button>
  )
}

/** A button that copies the URL of the page, including the open item. */
export function CopyLink({ onDone = () => {} }: { onDone?: () => void }) {
  const { attempt, say } = useStore()
  const copyLink = async () => {
    await copyToClipboard(location.href)
    say('Copied the link.')
    onDone()
  }
  return (
    <button type="button" onClick={() => void attempt(copyLink)}>
      Copy link
    </button>
  )
}

/** Copies text to the clipboard. */
export async function copyToClipboard(text: string): Promise<void> {
  // Browsers provide the clipboard API only over HTTPS and on localhost.
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}
