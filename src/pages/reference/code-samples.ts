import { parseJson } from '../shared/format.ts'
import type { PreparedRequest } from './request.ts'

/** Languages of code samples, each with a function that formats a request. */
export const languages = {
  curl: toCurl,
  JavaScript: toJavaScript,
  Python: toPython,
  Go: toGo,
} as const
export type Language = keyof typeof languages

function toCurl({ method, url, headers, body, isFile }: PreparedRequest): string {
  const data = isFile
    ? ['--data-binary @file.bin']
    : body === null
      ? []
      : [`--data-raw ${quoteForCurl(body)}`]
  const verb = method === 'HEAD' ? ['--head'] : method === 'GET' ? [] : [`-X ${method}`]
  const parts = [
    ...verb,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoteForCurl(`${name}: ${value}`)}`),
    ...data,
    quoteForCurl(url),
  ]
  return `curl ${parts.join(' \\\n  ')}`
}

function toJavaScript({ method, url, headers, body, isFile }: PreparedRequest): string {
  const value = body === null || isFile ? undefined : parseJson(body)
  const text =
    value === undefined
      ? JSON.stringify(body)
      : `JSON.stringify(${indent(JSON.stringify(value, null, 2), '  ')})`
  const lines = [
    ...(method === 'GET' ? [] : [`  method: ${JSON.stringify(method)},`]),
    ...(Object.keys(headers).length === 0
      ? []
      : [`  headers: ${indent(JSON.stringify(headers, null, 2), '  ')},`]),
    ...(isFile
      ? ['  body: await openAsBlob("file.bin"),']
      : body === null
        ? []
        : [`  body: ${text},`]),
  ]
  const options = lines.length === 0 ? '' : `, {\n${lines.join('\n')}\n}`
  const shown = method === 'HEAD' ? 'Object.fromEntries(response.headers)' : 'await response.text()'
  return [
    ...(isFile ? ['import { openAsBlob } from "node:fs"\n'] : []),
    `const response = await fetch(${JSON.stringify(url)}${options})`,
    `console.log(response.status, ${shown})`,
  ].join('\n')
}

function toPython({ method, url, headers, body, isFile }: PreparedRequest): string {
  const value = body === null || isFile ? undefined : parseJson(body)
  // Python's `json` argument already sets the content type.
  const own = Object.entries(headers).filter(
    ([name]) => value === undefined || name !== 'Content-Type',
  )
  const lines = [
    `    ${JSON.stringify(method)},`,
    `    ${JSON.stringify(url)},`,
    ...(own.length === 0
      ? []
      : [`    headers=${indent(JSON.stringify(Object.fromEntries(own), null, 4), '    ')},`]),
    ...(isFile ? ['    data=open("file.bin", "rb"),'] : []),
    ...(value === undefined && body !== null && !isFile
      ? [`    data=${JSON.stringify(body)}.encode(),`]
      : []),
    ...(value === undefined ? [] : [`    json=${toPythonValue(value, '    ')},`]),
  ]
  const shown = method === 'HEAD' ? 'dict(response.headers)' : 'response.text'
  return (
    `import requests\n\nresponse = ` +
    `requests.request(\n${lines.join('\n')}\n)\nprint(response.status_code, ${shown})`
  )
}

/** Formats a JSON value as Python. */
function toPythonValue(value: unknown, margin: string): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${margin}    `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const items = Array.isArray(value)
    ? value.map((item: unknown) => toPythonValue(item, inner))
    : Object.entries(value).map(
        ([name, item]) => `${JSON.stringify(name)}: ${toPythonValue(item, inner)}`,
      )
  return items.length === 0
    ? `${open}${close}`
    : `${open}\n${items.map((item) => `${inner}${item},`).join('\n')}\n${margin}${close}`
}

function toGo({ method, url, headers, body, isFile }: PreparedRequest): string {
  const text = body === null ? '' : body.includes('`') ? JSON.stringify(body) : `\`${body}\``
  const reader = isFile ? 'body' : body === null ? 'nil' : 'strings.NewReader(body)'
  const packages = [
    'fmt',
    'io',
    'net/http',
    ...(isFile ? ['os'] : []),
    ...(body === null || isFile ? [] : ['strings']),
  ]
  const check = ['\tif err != nil {', '\t\tpanic(err)', '\t}']
  return [
    'package main\n',
    'import (',
    ...packages.map((name) => `\t${JSON.stringify(name)}`),
    ')\n',
    'func main() {',
    ...(isFile
      ? ['\tbody, err := os.Open("file.bin")', ...check]
      : body === null
        ? []
        : [`\tbody := ${text}`]),
    `\trequest, err := http.NewRequest(${JSON.stringify(method)}, ${JSON.stringify(url)}, ` +
      `${reader})`,
    ...check,
    ...Object.entries(headers).map(
      ([name, value]) => `\trequest.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})`,
    ),
    '\tresponse, err := http.DefaultClient.Do(request)',
    ...check,
    '\tdefer response.Body.Close()',
    '\tanswer, err := io.ReadAll(response.Body)',
    ...check,
    '\tfmt.Println(response.StatusCode, string(answer))',
    '}',
  ].join('\n')
}

function indent(text: string, margin: string): string {
  return text.replaceAll('\n', `\n${margin}`)
}

function quoteForCurl(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
