/** A text of the document: paragraphs, lists and code, the only Markdown in it. */
export function Prose({ text }: { text: string }) {
  const blocks = text.split(/\n{2,}/)
  return (
    <div class="prose">
      {blocks.map((block, index) =>
        block.startsWith('- ') ? (
          <ul key={index}>
            {block
              .split(/^- /m)
              .map((item, place) => place > 0 && <li key={place}>{toInline(item)}</li>)}
          </ul>
        ) : (
          <p key={index}>{toInline(block)}</p>
        ),
      )}
    </div>
  )
}

/** A text with inline code. */
export function toInline(text: string) {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
}
