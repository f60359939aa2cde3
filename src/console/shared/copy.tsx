import { useEffect, useState } from 'preact/hooks'

/** How long the button says that it has copied, ms. */
const thanksMs = 1_500

/** A button that copies a text. `what` names the text for screen readers. */
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
    const timer = setTimeout(() => setCopied(false), thanksMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <button
      type="button"
      class={isCopied ? 'small copy copied' : 'small copy'}
      aria-label={isCopied ? `Copied ${what}` : `${label} ${what}`}
      onClick={() => void copy(text).then(() => setCopied(true))}
    >
      {/* The label keeps its width, so that no other button moves. */}
      <span>{label}</span>
    </button>
  )
}

async function copy(text: string): Promise<void> {
  // Browsers give a page of another machine no clipboard over plain http.
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}
