import type { OpenApiDocument, Operation, Parameter } from '../../src/openapi/document.ts'

/** Returns the parameters of an operation, with the values of references. */
export function listParameters(document: OpenApiDocument, operation: Operation): Parameter[] {
  return (operation.parameters ?? []).flatMap((parameter) => {
    if (!('$ref' in parameter)) return [parameter]
    const shared = document.components.parameters[parameter.$ref.split('/').at(-1) ?? '']
    return shared === undefined ? [] : [shared]
  })
}

/** Returns the URL of an operation. The values are the examples of its parameters by default. */
export function toExampleUrl(
  path: string,
  parameters: readonly Parameter[],
  values: Readonly<Record<string, unknown>> = {},
): string {
  const valueOf = (name: string) =>
    values[name] ?? parameters.find((parameter) => parameter.name === name)?.example
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && valueOf(parameter.name) !== undefined)
    .map(({ name }) => `${name}=${encodeURIComponent(String(valueOf(name)))}`)
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(valueOf(name))),
  )
  return query.length === 0 ? target : `${target}?${query.join('&')}`
}
