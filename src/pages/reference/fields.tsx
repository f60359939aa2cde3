import { useState } from 'preact/hooks'
import type { Catalogue } from './catalogue.ts'
import { toHash } from './place.ts'
import { renderInlineMarkup } from './prose.tsx'
import {
  describeConstraints,
  listFieldGroups,
  getSourceLevel,
  describeType,
} from './describe-schema.ts'
import { SourceTag } from './source.tsx'
import type { JsonSchema, SourceLevel } from './types.ts'

/** Maximum depth of fields that are initially expanded. */
const openLevels = 2
/** Maximum number of fields that are initially expanded. */
const maxOpen = 12

interface SchemaProps {
  schema: JsonSchema
  /** Source level of the parent. */
  outer: SourceLevel | undefined
  resolve: Catalogue['resolve']
  /** True for responses, which mark optional fields. Requests mark required fields. */
  isAnswer?: boolean
  level?: number
}

/** Lists the fields of a schema with their sources. Inner fields can be collapsed. */
export function FieldsView({ schema, outer, resolve, isAnswer = false, level = 0 }: SchemaProps) {
  const groups = listFieldGroups(schema, resolve, outer)
  if (groups.length === 0) return <PlainValue schema={schema} resolve={resolve} />
  return (
    <>
      {groups.map(({ label, source, fields }) => (
        <div key={label ?? ''}>
          {label !== undefined && <p class="help form-label">{label}</p>}
          <ul class="fields">
            {fields.map((field) => (
              <FieldRow
                key={field.name}
                {...field}
                {...{ outer: source, resolve, isAnswer, level }}
              />
            ))}
          </ul>
        </div>
      ))}
    </>
  )
}

interface FieldProps extends SchemaProps {
  name: string
  isRequired: boolean
  level: number
}

/** Shows a field: its name, type, source and description. */
export function FieldRow({
  name,
  schema,
  isRequired,
  outer,
  resolve,
  isAnswer = false,
  level,
}: FieldProps) {
  const groups = listFieldGroups(schema, resolve)
  const count = groups.reduce((sum, { fields }) => sum + fields.length, 0)
  const [isOpen, setOpen] = useState(level + 1 < openLevels && count <= maxOpen)
  const { description } = resolve<JsonSchema>(schema)
  const facts = describeConstraints(schema, resolve)
  const source = getSourceLevel(schema, outer, resolve)
  return (
    <li id={level === 0 ? `field-${name}` : undefined} tabIndex={-1}>
      <p class="field-head">
        <code class="name">{name}</code> <TypeText schema={schema} />
        {!isAnswer && isRequired && <span class="needed">required</span>}
        {isAnswer && !isRequired && <span class="type">optional</span>}
        <SourceTag level={source} />
      </p>
      {description !== undefined && <p class="about">{renderInlineMarkup(description)}</p>}
      {facts.length > 0 && <p class="facts-line">{facts.join(' · ')}</p>}
      {count > 0 && (
        <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>
            {count} {count === 1 ? 'field' : 'fields'}
            <span class="hidden"> of {name}</span>
          </summary>
          {isOpen && <FieldsView {...{ schema, outer, resolve, isAnswer }} level={level + 1} />}
        </details>
      )}
    </li>
  )
}

/** Shows the type of a value. Model names are links. */
function TypeText({ schema }: { schema: JsonSchema }) {
  return (
    <span class="type">
      {describeType(schema)
        .split(/\b([A-Z]\w*)/)
        .map((part, index) =>
          index % 2 === 0 ? (
            part
          ) : (
            <a key={index} href={toHash({ document: 'api', section: 'models', item: part })}>
              {part}
            </a>
          ),
        )}
    </span>
  )
}

/** Shows a value without fields. */
function PlainValue({ schema, resolve }: Pick<SchemaProps, 'schema' | 'resolve'>) {
  const facts = describeConstraints(schema, resolve)
  return (
    <p class="help">
      {describeType(schema)}
      {facts.length > 0 && `: ${facts.join(' · ')}`}
    </p>
  )
}
