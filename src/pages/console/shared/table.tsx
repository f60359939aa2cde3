import type { ComponentChildren } from 'preact'
import { getArrowKeyIndex } from './outside-click.ts'

export interface Column<Row> {
  title: string
  /**
   * Content of the header cell, such as a sort button.
   * @default title
   */
  head?: ComponentChildren
  /** `number` right-aligns the column. */
  className?: string
  sort?: 'ascending' | 'descending' | undefined
  /** Tooltip of the cell. */
  hint?: (row: Row) => string
  cell: (row: Row) => ComponentChildren
}

/** A scrollable table. The arrow keys move between the buttons and links in its rows. */
export function Table<Row>({
  label,
  className = '',
  rows,
  columns,
  keyOf,
  isSelected = () => false,
  onOpen,
}: {
  label: string
  className?: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  isSelected?: (row: Row) => boolean
  /** Called for a click on a row, outside its buttons and links. */
  onOpen?: (row: Row) => void
}) {
  return (
    <div class="scrolls tall" role="region" aria-label={label} tabIndex={0} onKeyDown={moveFocus}>
      <table class={className}>
        <thead>
          <tr>
            {columns.map(({ title, head = title, className: column = '', sort }) => (
              <th key={title} scope="col" class={column} aria-sort={sort}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              class={isSelected(row) ? 'selected' : ''}
              onClick={({ target }) => {
                // A click that ends a selection of text opens nothing.
                if (getSelection()?.isCollapsed === false) return
                if ((target as Element).closest('button, a') === null) onOpen?.(row)
              }}
            >
              {columns.map(({ title, className: column = '', hint, cell }) => (
                <td key={title} class={column} title={hint?.(row)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('tbody :is(button, a)')]
  if (buttons.length === 0) return
  const index = buttons.findIndex((button) => button === document.activeElement)
  const next = getArrowKeyIndex(event, { index, count: buttons.length })
  if (next !== undefined) buttons[next]?.focus()
}
