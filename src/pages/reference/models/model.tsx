import { formatCount } from '../../shared/format.ts'
import type { Catalogue } from '../catalogue.ts'
import { FieldsView } from '../fields.tsx'
import { toHash } from '../place.ts'
import { MethodLabel, SourceIcon, SourceTag } from '../source.tsx'
import type { Entry } from '../types.ts'
import type { Model } from './models.ts'

/** Lists all models: first the models in responses, then the models in request bodies. */
export function ModelList({ models }: { models: ReadonlyMap<string, Model> }) {
  const all = [...models.values()]
  const isBody = ({ inAnswer, inBody }: Model) => inAnswer.length === 0 && inBody.length > 0
  return (
    <article class="panel">
      <h2>Models</h2>
      <p class="help">The named objects of answers and requests, with all their fields.</p>
      <h3>In answers</h3>
      <Names models={all.filter((model) => !isBody(model))} />
      <h3>In requests</h3>
      <Names models={all.filter(isBody)} />
    </article>
  )
}

function Names({ models }: { models: readonly Model[] }) {
  return (
    <ul class="names">
      {models.map(({ name, source, fieldCount }) => (
        <li key={name}>
          <a href={toItemHash(name)}>{name}</a> <SourceIcon level={source} />{' '}
          {fieldCount > 0 && <span class="help">{formatCount(fieldCount, 'field')}</span>}
        </li>
      ))}
    </ul>
  )
}

/** Shows a model's fields and the operations that use it. */
export function ModelView({ catalogue, model }: { catalogue: Catalogue; model: Model }) {
  const { name, schema, source, inBody, inAnswer, partOf } = model
  return (
    <article class="panel">
      <h2>{name}</h2>
      <p class="row">
        <SourceTag level={source} />
        {typeof schema.description === 'string' && <span>{schema.description}</span>}
      </p>
      <FieldsView
        schema={schema}
        outer={source}
        resolve={catalogue.resolve}
        isAnswer={inAnswer.length > 0}
      />
      {partOf.length > 0 && (
        <>
          <h3>Part of</h3>
          <p class="model-links">
            {partOf.map((other) => (
              <a key={other} href={toItemHash(other)}>
                {other}
              </a>
            ))}
          </p>
        </>
      )}
      <ModelUses title="Answered by" entries={inAnswer} />
      <ModelUses title="Sent to" entries={inBody} />
    </article>
  )
}

function ModelUses({ title, entries }: { title: string; entries: readonly Entry[] }) {
  if (entries.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul class="operations">
        {entries.map(({ id, method, path, operation }) => (
          <li key={method + path}>
            <a class="item" href={toHash({ document: 'api', item: id })}>
              <MethodLabel name={method} />
              <span class="summary">{operation.summary}</span>
              <SourceIcon level={operation['x-source']} />
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

function toItemHash(item: string): string {
  return toHash({ document: 'api', section: 'models', item })
}
