import { useEffect, useId } from 'preact/hooks'
import { isNullableField, getControlKind } from './fields.ts'
import type { FieldSchema } from './fields.ts'
import { useStoreState } from '../../shared/hooks.ts'
import { getReferencedTable } from './record-names.ts'
import { RecordPicker } from './record-picker.tsx'

interface FieldProps {
  name: string
  schema: FieldSchema
  isRequired: boolean
  isWrong: boolean
  hasFocus: boolean
  text: string
  routes: readonly string[]
  /** The account whose fans a fan field offers. Undefined if it offers all fans. */
  fansOf: string | undefined
  onText: (text: string) => void
}

/** A form field: label, API name, input control and help text. */
export function Field(props: FieldProps) {
  const { name, schema, isRequired, hasFocus } = props
  const id = useId()
  // On a phone, focusing the field would open the keyboard.
  useEffect(() => {
    if (hasFocus && matchMedia('(pointer: fine)').matches) document.getElementById(id)?.focus()
  }, [])
  const help = [
    schema.description,
    isNullableField(schema) && isRequired ? 'Empty: null.' : undefined,
  ]
    .filter((text) => text !== undefined)
    .join(' ')
  return (
    <div class="field">
      <label for={id}>
        {toLabel(name)} <code class="wire">{name}</code>
        {isRequired && (
          <span class="required" title="required">
            {' '}
            *
          </span>
        )}
      </label>
      <Entry {...props} id={id} />
      {help !== '' && (
        <p class="help" id={`${id}-help`}>
          {/* Text in backticks is code. */}
          {help
            .split('`')
            .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
        </p>
      )}
    </div>
  )
}

function Entry({
  id,
  name,
  schema,
  isRequired,
  isWrong,
  text,
  routes,
  fansOf,
  onText,
}: FieldProps & { id: string }) {
  const about = useStoreState((state) => state.about)
  const kind = getControlKind(name, schema)
  const shared = {
    id,
    name,
    value: text,
    'aria-required': isRequired,
    'aria-invalid': isWrong,
    'aria-describedby': `${id}-help`,
    onInput: (event: { currentTarget: { value: string } }) => onText(event.currentTarget.value),
  }
  const usual = schema.default === undefined ? undefined : String(schema.default)
  const options = {
    account: about?.accounts.map(
      (account) => [String(account.id), `${account.username} (${account.id})`] as const,
    ),
    organisation: about?.organisations.map((each) => [String(each.id), each.name] as const),
    choice: schema.enum?.map((value) => [value, value] as const),
    flag: [
      ['true', 'yes'],
      ['false', 'no'],
    ] as const,
  }
  const table = getReferencedTable(name, schema)
  if (table !== undefined)
    return (
      <RecordPicker
        table={table}
        account={table === 'fans' ? fansOf : undefined}
        value={text}
        onValue={onText}
        input={shared}
      />
    )
  switch (kind) {
    case 'account':
    case 'organisation':
    case 'choice':
    case 'flag':
      return (
        <select {...shared}>
          {(!isRequired || text === '') && (
            <option value="">{usual === undefined ? 'default' : `${usual} (default)`}</option>
          )}
          {options[kind]?.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )
    case 'number':
      return (
        <input
          {...shared}
          type="number"
          step="any"
          min={getControlBound(schema.minimum)}
          max={getControlBound(schema.maximum)}
          placeholder={usual}
        />
      )
    case 'long':
    case 'json':
      return <textarea {...shared} rows={2} />
    case 'route':
      return (
        <>
          <input {...shared} list={`${id}-routes`} placeholder="every route" />
          <datalist id={`${id}-routes`}>
            {routes.map((route) => (
              <option key={route} value={route} />
            ))}
          </datalist>
        </>
      )
    default:
      return <input {...shared} placeholder={kind === 'list' ? 'separated by commas' : usual} />
  }
}

/** Returns a minimum or maximum for the input control, but omits the limits of safe integers. */
function getControlBound(bound: number | undefined): number | undefined {
  return bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound
}

/** Labels for fields whose API name is unclear. */
const labels: Readonly<Record<string, string>> = {
  account_id: 'Account',
  fan_id: 'Fan',
  post_id: 'Post',
  message_id: 'Message',
  media_id: 'Media',
  media_ids: 'Media',
  transaction_id: 'Payment',
  tracking_link_id: 'Tracking link',
  trial_link_id: 'Trial link',
  price: 'Price, $',
  amount: 'Amount, $',
  on: 'Given on',
  unique: 'Unique people',
  count: 'Number',
  expire_days: 'Expires after days',
  minute: 'Requests a minute',
  day: 'Requests a day',
  isSubscriptionActive: 'Subscription is active',
  delay_ms: 'Delay, ms',
  content_type: 'Content type',
  request_body: 'Only with this request body',
  query: 'Only with these query parameters',
  error: 'Error message',
  body: 'Whole body',
  truncate: 'Send only half of the body',
  drop: 'Cut the connection',
  applied: 'Carry out the request first',
  after: 'Skip the first',
  every: 'Only every nth',
  times: 'Number of times',
  lasts_ms: 'For, ms',
  sequence: 'Responses in sequence',
  only: 'Only these variations',
  by: 'Duration',
  to: 'New status',
}

function toLabel(name: string): string {
  const words = name.replaceAll('_', ' ')
  return labels[name] ?? words.charAt(0).toUpperCase() + words.slice(1)
}
