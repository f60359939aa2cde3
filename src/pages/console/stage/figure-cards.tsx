import { formatFigure } from '../../shared/format.ts'
import type { TrackedFigure } from '../../shared/types.ts'

/** Maximum number of cards that stand side by side. More cards become a ranking. */
const maxBeside = 2

/** True if the figures are shown as cards, which take the space of the plot. */
export function fillsSpace(figures: readonly TrackedFigure[]): boolean {
  const { size } = new Set(figures.map(({ subject }) => subject))
  return size > 0 && size <= maxBeside
}

/** Compares subjects, such as links: two as cards, more as a ranking by their first figure. */
export function FigureCards({ figures }: { figures: readonly TrackedFigure[] }) {
  const subjects = [...new Set(figures.map(({ subject }) => subject))]
  const cards = subjects.map((name) => figures.filter(({ subject }) => subject === name))
  if (cards.length > maxBeside) cards.sort(([a], [b]) => (b?.value ?? 0) - (a?.value ?? 0))
  const maximum = (figure: string) =>
    Math.max(...figures.filter((each) => each.figure === figure).map(({ value }) => value))
  const List = cards.length > maxBeside ? 'ol' : 'ul'
  return (
    <List class={cards.length > maxBeside ? 'stage-cards ranking' : 'stage-cards'}>
      {cards.map((card) => (
        <li key={card[0]?.subject}>
          <h3>{card[0]?.subject}</h3>
          <dl>
            {card.map(({ figure, label, unit, value }) => (
              <div key={figure}>
                <dt>{label}</dt>
                <dd>
                  <span class="bar" style={{ '--share': value / (maximum(figure) || 1) }} />
                  {formatFigure(value, unit)}
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </List>
  )
}
