/** Shows text from the document: paragraphs, lists, code and links. */
export function Prose({ text }: { text: string }) {
  const blocks = text.split(/\n{2,}/)
  return (
    <div class="prose">
      {blocks.map((block, index) =>
        block.startsWith('- ') ? (
          <ul key={index}>
            {block
              .split(/^- /m)
              .map((item, place) => place > 0 && <li key={place}>{renderInlineMarkup(item)}</li>)}
          </ul>
        ) : (
          <p key={index}>{renderInlineMarkup(block)}</p>
        ),
      )}
    </div>
  )
}

/** Formats text with inline code, emphasis and links to other parts of the page. */
export function renderInlineMarkup(text: string) {
  return text.split(/(`[^`]*`|\[[^\]]+\]\(#[^)]+\)|\*[^*\s][^*]*\*)/).map((part, index) => {
    if (index % 2 === 0) return part
    if (part.startsWith('`')) return <code key={index}>{part.slice(1, -1)}</code>
    if (part.startsWith('*')) return <em key={index}>{part.slice(1, -1)}</em>
    const [, label, href] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part) ?? []
    return (
      <a key={index} href={href}>
        {label}
      </a>
    )
  })
}
