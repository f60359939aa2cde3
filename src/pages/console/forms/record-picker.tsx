import { ErrorMessage } from './error-message.tsx'
import { useEffect, useState } from 'preact/hooks'
import { getArrowKeyIndex } from '../shared/outside-click.ts'
import { useLoadedData, useStore } from '../../shared/hooks.ts'
import { findFansOfAccount } from './record-names.ts'
import { findRecords, formatRecordName, hasExactName, looksLikeId } from '../shared/records.ts'
import type { FoundRecord } from '../shared/records.ts'

const maxFound = 8
/** Minimum interval between searches while the user types, ms. */
const pauseMs = 150

/** Input that selects a record by name or id, then moves the focus to the next field. */
export function RecordPicker({
  table,
  account,
  value,
  onValue,
  input,
}: {
  table: string
  /** Offers only the fans of this account. */
  account?: string | undefined
  value: string
  onValue: (id: string) => void
  input: { id: string; name: string } & Record<string, unknown>
}) {
  const { api } = useStore()
  const [text, setText] = useState(value)
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState(0)
  // Shows the name of the record that a link to the form has chosen.
  useEffect(() => {
    if (!looksLikeId(value)) return
    void findRecords(api, table, value, 1).then(
      ([first]) =>
        String(first?.record['id']) === value &&
        setText((before) => (before === value ? formatRecordName(first?.record ?? {}) : before)),
      () => {}, // The id stays in the input.
    )
  }, [])
  const { data: found = [], error } = useLoadedData(
    async () => {
      if (!isOpen) return []
      return account === undefined
        ? findRecords(api, table, text.trim(), maxFound)
        : findFansOfAccount(api, { account, text: text.trim(), limit: maxFound })
    },
    JSON.stringify([table, account, isOpen, text]),
    { pauseMs },
  )
  const take = (record: FoundRecord['record']) => {
    setText(formatRecordName(record))
    onValue(String(record['id']))
    setOpen(false)
  }
  const pick = (index: number, target: HTMLElement) => {
    const record = found[index]?.record
    if (record === undefined) return
    take(record)
    focusNext(target)
  }
  /**
   * Closes the list of suggestions. If the typed text is the full name of exactly one record,
   * selects that record.
   */
  const leave = () => {
    const [named, ...others] = found.filter((each) => hasExactName(each, text.trim()))
    if (isOpen && named !== undefined && others.length === 0) take(named.record)
    setOpen(false)
  }
  return (
    <div class="picker">
      <input
        {...input}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={`${input.id}-list`}
        aria-activedescendant={isOpen && found.length > 0 ? `${input.id}-${chosen}` : undefined}
        autocomplete="off"
        placeholder="a name or an id; random if empty"
        value={text}
        onClick={() => setOpen(true)}
        onBlur={leave}
        onInput={(event: { currentTarget: HTMLInputElement }) => {
          setText(event.currentTarget.value)
          onValue(event.currentTarget.value)
          setChosen(0)
          setOpen(true)
        }}
        onKeyDown={(event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
          const next = getArrowKeyIndex(event, { index: chosen, count: found.length })
          if (next !== undefined) {
            setOpen(true)
            setChosen(next)
          }
          if (event.key === 'Escape') setOpen(false)
          if (event.key === 'Enter' && isOpen && found.length > 0 && text !== '') {
            event.preventDefault()
            pick(chosen, event.currentTarget)
          }
        }}
      />
      <ul
        id={`${input.id}-list`}
        role="listbox"
        aria-label={`Records of ${table}`}
        class="options"
        hidden={!isOpen || found.length === 0}
      >
        {found.map(({ record, picture }, index) => (
          <li
            key={String(record['id'])}
            id={`${input.id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            // Keeps the focus in the input.
            onMouseDown={(event) => event.preventDefault()}
            onClick={(event) => pick(index, event.currentTarget)}
          >
            {picture !== undefined && <img class="thumbnail" src={picture} alt="" />}
            {formatRecordName(record)}
          </li>
        ))}
      </ul>
      {isOpen && <ErrorMessage text={error} />}
    </div>
  )
}

function focusNext(target: HTMLElement): void {
  const fields = [
    ...(target.closest('form')?.querySelectorAll<HTMLElement>('input, select, textarea') ?? []),
  ]
  const field = target.closest('.picker')?.querySelector<HTMLElement>('input')
  fields[fields.findIndex((each) => each === field) + 1]?.focus()
}
