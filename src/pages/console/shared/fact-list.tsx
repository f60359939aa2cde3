import type { ComponentChildren } from 'preact'

/** Lists names and values, omitting null values. */
export function FactList({
  facts,
}: {
  facts: readonly (readonly [name: ComponentChildren, value: ComponentChildren])[]
}) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null)
        .map(([name, value], index) => (
          <div key={index} class="fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
