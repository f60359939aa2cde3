import type { ErrorExample } from './catalogue.ts'
import { JsonText } from './json-text.tsx'

/** Lists errors by code, each with an example body. */
export function ErrorBodies({ errors }: { errors: readonly ErrorExample[] }) {
  return (
    <dl class="error-bodies">
      {errors.map(([code, body]) => (
        <div key={code}>
          <dt>
            <code>{code}</code>
          </dt>
          <dd>
            <JsonText text={JSON.stringify(body)} label={`Body of ${code}`} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
