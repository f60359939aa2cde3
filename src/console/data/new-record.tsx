import { useState } from 'preact/hooks'
import { useDeed, useStore } from '../shared/hooks.ts'
import { Problem } from '../shared/problem.tsx'

/** A form for a record by hand. */
export function NewRecord({ table, onDone }: { table: string; onDone: (id: string) => void }) {
  const { api } = useStore()
  const { error, isBusy, run } = useDeed()
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
        Fields of a record of {table}, as JSON; what is left out gets a believable value
        <textarea rows={6} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <Problem text={error} />
      <button type="button" class="primary" disabled={isBusy} onClick={add}>
        Add
      </button>
    </div>
  )
}
