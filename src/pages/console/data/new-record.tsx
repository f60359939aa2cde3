import { useState } from 'preact/hooks'
import { useCommandRunner, useStore } from '../../shared/hooks.ts'
import { ErrorMessage } from '../forms/error-message.tsx'

/** A form for a new record. */
export function NewRecordForm({ table, onDone }: { table: string; onDone: (id: string) => void }) {
  const { api } = useStore()
  const { error, isBusy, run } = useCommandRunner()
  const [text, setText] = useState('{\n  \n}')
  const add = () =>
    run(async () => {
      const { id } = await api.send<{ id: number | string }>(
        'POST',
        `data/${table}`,
        JSON.parse(text),
      )
      onDone(String(id))
    })
  return (
    <div class="editor">
      <label>
        Fields of a record of {table}, as JSON. Missing fields get believable values.
        <textarea rows={6} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <ErrorMessage text={error} />
      <button type="button" class="primary" disabled={isBusy} onClick={add}>
        Add
      </button>
    </div>
  )
}
