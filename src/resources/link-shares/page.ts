import type { z } from 'zod'
import type { SharePage } from '../links/schemas.ts'

/** Renders the public page of a link as HTML. */
export function renderSharePage({
  name,
  label,
  subscribers,
  clicks,
  revenue,
  spenders,
}: z.input<typeof SharePage>): string {
  const title = escape(name)
  const rate = clicks === 0 ? '–' : `${((subscribers / clicks) * 100).toFixed(1)} %`
  const figures: readonly (readonly [string, string])[] = [
    [
      'Revenue',
      `$${revenue.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`,
    ],
    ['Clicks', formatCount(clicks)],
    ['Subscribers', formatCount(subscribers)],
    ['Conversion', rate],
    ['Spenders', formatCount(spenders)],
  ]
  const cells = figures
    .map(([term, value]) => `<div><dt>${term}</dt><dd>${value}</dd></div>`)
    .join('')
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" ` +
    `content="width=device-width, initial-scale=1">` +
    `<meta name="robots" ` +
    `content="noindex"><title>${title}</title><style>${styles}</style></head><body><main>` +
    `<p class="kind">Shared link</p><h1 ` +
    `dir="auto">${title}</h1>${label === null ? '' : `<p dir="auto">${escape(label)}</p>`}` +
    `<dl>${cells}</dl></main></body></html>`
  )
}

const styles =
  ':root{color-scheme:light dark}body{margin:0;font:16px/1.5 ' +
  'system-ui,sans-serif;background:Canvas;color:CanvasText}' +
  'main{max-width:44rem;margin:0 auto;padding:3rem ' +
  '1.5rem}.kind{margin:0;opacity:.7}h1{margin:.2rem 0 1rem;overflow-wrap:anywhere}' +
  'dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:1rem;margin:2rem 0}' +
  'dl div{border:1px solid color-mix(in srgb,CanvasText ' +
  '20%,Canvas);border-radius:.75rem;padding:1rem}dt{opacity:.7}' +
  'dl div:first-child{grid-column:1/-1}dl div:first-child dd{font-size:2rem}' +
  'dd{margin:0;font-size:1.4rem;font-weight:600;overflow-wrap:anywhere}'

function formatCount(value: number): string {
  return value.toLocaleString('en-US')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
