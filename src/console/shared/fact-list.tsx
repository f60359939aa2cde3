import type { ComponentChildren } from 'preact'

/** A list of names and values. Null values are omitted. */
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
