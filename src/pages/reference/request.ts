import { getPageWorld } from '../shared/api.ts'
import { getRequestBody, getParameters } from './catalogue.ts'
import type { Catalogue } from './catalogue.ts'
import type { Entry, Parameter } from './types.ts'

/** User input: strings by parameter, and a body. */
export interface RequestInput {
  values: Readonly<Record<string, string>>
  body: string
  /** Headers to add or change, one `Name: value` per line. Without a value, a header is left out. */
  headers: string
}

/** A request that is ready to be sent or shown as code. */
export interface PreparedRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
  /** A string, a file that code samples read from disk, or null if there is no body. */
  body: string | 'file' | null
  isFile: boolean
}

/** Returns the URL of the server that serves the page. The document's base URL may differ. */
export function getServerUrl(): string {
  return new URL('.', document.baseURI).href.replace(/\/$/, '')
}

/** Returns the initial input: examples for the required parameters. */
export function createInitialInput(catalogue: Catalogue, entry: Entry): RequestInput {
  const needed = getParameters(catalogue, entry).filter(
    ({ required, example }) => required || example !== undefined,
  )
  const { example } = getRequestBody(entry) ?? {}
  return {
    values: Object.fromEntries(
      needed.map((parameter) => [toFieldName(parameter), getExampleText(parameter)]),
    ),
    body: example === undefined ? '' : JSON.stringify(example, null, 2),
    headers: '',
  }
}

/**
 * Returns a parameter's unique name in the form. A path and a query may have parameters of the same
 * name.
 */
export function toFieldName({ in: place, name }: Pick<Parameter, 'in' | 'name'>): string {
  return `${place}.${name}`
}

/** Returns the document's example value as a string, if there is one. */
export function getExampleText({ example, schema }: Parameter): string {
  const value = example ?? schema.examples?.[0] ?? ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Converts the input to a request. Empty parameters are omitted, except in the path. */
export function createRequest(
  catalogue: Catalogue,
  entry: Entry,
  { key, filled }: { key: string; filled: RequestInput },
): PreparedRequest {
  const parameters = getParameters(catalogue, entry)
  const given = (place: Parameter['in']) =>
    parameters
      .filter((each) => each.in === place)
      .map((each) => [each.name, filled.values[toFieldName(each)] ?? ''] as const)
  const path = given('path').reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    entry.path,
  )
  // API keys already identify their world.
  const world = entry.path.startsWith('/_sandbox/') ? getPageWorld() : undefined
  const named = [
    ...given('query').filter(([, value]) => value !== ''),
    ...(world === undefined ? [] : [['world', world] as const]),
  ]
  const query = new URLSearchParams(named.map(([name, value]) => [name, value])).toString()
  const body = getRequestBody(entry)
  const isFile = body !== undefined && !body.type.includes('json')
  const hasBody = body !== undefined && (isFile || body.isRequired || filled.body.trim() !== '')
  const needsKey = entry.operation.security?.length !== 0
  const headers = {
    ...(needsKey && key !== '' ? { Authorization: `Bearer ${key}` } : {}),
    ...Object.fromEntries(given('header').filter(([, value]) => value !== '')),
    ...(hasBody
      ? { 'Content-Type': isFile ? 'application/octet-stream' : 'application/json' }
      : {}),
  }
  return {
    method: entry.method,
    url: `${getServerUrl()}${path}${query === '' ? '' : `?${query}`}`,
    headers: changeHeaders(headers, filled.headers),
    body: !hasBody ? null : isFile ? 'file' : filled.body,
    isFile: hasBody && isFile,
  }
}

/** Replaces headers by those of the user. Names differ only if they differ without case. */
function changeHeaders(
  headers: Readonly<Record<string, string>>,
  text: string,
): Readonly<Record<string, string>> {
  const changes = [...text.matchAll(/^ *([\w-]+) *:(.*)$/gm)].map(
    ([, name = '', value = '']) => [name, value.trim()] as const,
  )
  const isChanged = (name: string) =>
    changes.some(([other]) => other.toLowerCase() === name.toLowerCase())
  return Object.fromEntries([
    ...Object.entries(headers).filter(([name]) => !isChanged(name)),
    ...changes.filter(([, value]) => value !== ''),
  ])
}
