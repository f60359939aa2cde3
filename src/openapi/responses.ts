import { ErrorBody, Meta, Pagination } from '../api/envelope-schemas.ts'
import type { Route } from '../api/route.ts'
import { errorCatalogue } from '../error-catalogue.ts'
import type { ErrorCode } from '../error-catalogue.ts'
import { json } from './document.ts'
import type { Content, Reference, Response } from './document.ts'
import { errorExample, errorsOf } from './errors.ts'
import type { JsonSchema, SchemaWriter } from './schemas.ts'

const refusedByServer =
  'Or the server does not accept that Host, or pages of that Origin: no credit.'

const errors = {
  400: {
    name: 'BadRequest',
    description:
      'A parameter, or the form of the body, is not allowed. The message names the parameter, ' +
      'its value and what is allowed. 1 credit.',
  },
  401: { name: 'Unauthorized', description: 'There is no API key, or it is not valid. No credit.' },
  402: {
    name: 'PaymentRequired',
    description: 'The organisation has no active subscription, or is out of credits. 1 credit.',
  },
  403: {
    name: 'Forbidden',
    description:
      `The key's role lacks the route's permission, or the thing is protected: 1 ` +
      `credit. ${refusedByServer}`,
  },
  404: {
    name: 'NotFound',
    description:
      "The account is not a connected one of the caller's organisation, or it has no such " +
      'thing. 1 credit.',
  },
  413: { name: 'ContentTooLarge', description: 'The request body is too large. 1 credit.' },
  416: { name: 'RangeNotSatisfiable', description: 'The range lies outside the file.' },
  424: {
    name: 'FailedDependency',
    description: "The account's upstream session has lapsed. 1 credit.",
  },
  429: {
    name: 'TooManyRequests',
    description: "One of the organisation's windows is used up. No credit.",
  },
  502: { name: 'BadGateway', description: 'The platform refused the request.' },
  '5XX': { name: 'ServerError', description: 'The service failed. 1 credit.' },
} as const

type ErrorStatus = `${keyof typeof errors}`

/** The errors of a media link, with their own descriptions. */
const fileErrors = {
  403: `The link is incomplete, was altered, or has expired. ${refusedByServer}`,
  404: "The link's account was disconnected or removed, or its media no longer exists.",
  416: errors[416].description,
  429: 'The account loaded too many new files in this minute.',
  502: 'The platform refused the fetch.',
} as const satisfies Partial<Record<ErrorStatus, string>>

/** The errors of an upload address, with their own descriptions. */
const uploadErrors = {
  400: 'There are no bytes, or the part number is not an integer.',
  403: `The address has expired. ${refusedByServer}`,
  404: 'The address belongs to no upload, or the upload is finished.',
  413: 'The part is too large.',
} as const satisfies Partial<Record<ErrorStatus, string>>

const fileHeaders: Response['headers'] = {
  'Content-Length': {
    description: 'Bytes of this answer.',
    schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: 'int64' },
  },
  'Accept-Ranges': {
    description: 'Ranges are answered.',
    schema: { type: 'string', const: 'bytes' },
  },
  'Cache-Control': {
    description: 'Only the client may cache it, not a proxy.',
    schema: { type: 'string', const: 'private' },
  },
}

/** The answers of a route, by status. */
export function toResponses(
  route: Route,
  writer: SchemaWriter,
): Record<string, Response | Reference> {
  if (route.fileLimit !== undefined) return uploadResponses()
  if (route.data === null) return fileResponses()
  const data = writer.write(route.data, 'answer')
  const success: Response = {
    description: 'Done.',
    content: json(route.gate === 'none' ? data : wrapInEnvelope(data, route, writer)),
  }
  const refusals = errorStatuses(route).map((status) => [status, refer(status)])
  return { [route.status ?? 200]: success, ...Object.fromEntries(refusals) }
}

/** The answers of `HEAD` on a route: the same without a body. */
export function toHeadResponses(route: Route, writer: SchemaWriter): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(toResponses(route, writer)).map(([status, response]) => [
      status,
      withoutContent(response, status as ErrorStatus),
    ]),
  )
}

/** The error answers that routes share, by name. */
export function errorComponents(writer: SchemaWriter): Record<string, Response> {
  const schema = writer.write(ErrorBody, 'answer')
  const codes = Object.keys(errorCatalogue) as ErrorCode[]
  return Object.fromEntries(
    Object.entries(errors).map(([status, { name, description }]) => {
      const examples = codes
        .filter((code) => statusOf(code) === status)
        .map((code) => [code, { value: errorExample(code) }])
      const content = { schema, examples: Object.fromEntries(examples) }
      return [name, { description, content: { 'application/json': content } }]
    }),
  )
}

function wrapInEnvelope(data: JsonSchema, { pagination }: Route, writer: SchemaWriter): JsonSchema {
  const isRequired = pagination?.last === 'null'
  const next = {
    ...writer.write(Pagination, 'answer'),
    description: describePagination(pagination),
  }
  return {
    type: 'object',
    properties: {
      data,
      ...(pagination === undefined ? {} : { _pagination: next }),
      _meta: writer.write(Meta, 'answer'),
    },
    required: ['data', ...(isRequired ? ['_pagination'] : []), '_meta'],
  }
}

function describePagination(pagination: Route['pagination']): string {
  if (pagination?.last === 'null') return 'next_page is null on the last page.'
  return pagination?.next === 'bare'
    ? 'next_page is a bare offset in a string. Left out on the last page.'
    : 'Left out on the last page.'
}

function errorStatuses(route: Route): ErrorStatus[] {
  const statuses = new Set(errorsOf(route).map((code) => String(statusOf(code))))
  return (Object.keys(errors) as ErrorStatus[]).filter((status) => statuses.has(status))
}

/** The status of an error in the document, where all server errors but 502 are one. */
function statusOf(code: ErrorCode): ErrorStatus {
  const status = String(errorCatalogue[code].status)
  return status in errors ? (status as ErrorStatus) : '5XX'
}

function fileResponses(): Record<string, Response | Reference> {
  const content: Content = Object.fromEntries(
    ['image/*', 'video/*', 'audio/*'].map((type) => [
      type,
      { schema: { type: 'string', format: 'binary' } },
    ]),
  )
  const range = {
    'Content-Range': {
      description: 'The range of these bytes, and the total.',
      schema: { type: 'string' as const },
    },
  }
  const refusals = Object.entries(fileErrors).map(([status, description]) => [
    status,
    { ...refer(status as ErrorStatus), description },
  ])
  return {
    200: { description: 'The file.', headers: fileHeaders, content },
    206: {
      description: 'The part of the file that Range asks for.',
      headers: { ...fileHeaders, ...range },
      content,
    },
    ...Object.fromEntries(refusals),
    '5XX': refer('5XX'),
  }
}

function uploadResponses(): Record<string, Response | Reference> {
  const refusals = Object.entries(uploadErrors).map(([status, description]) => [
    status,
    { ...refer(status as ErrorStatus), description },
  ])
  return {
    200: {
      description: 'Taken.',
      headers: {
        ETag: { description: 'The MD5 of the bytes, in quotes.', schema: { type: 'string' } },
      },
    },
    ...Object.fromEntries(refusals),
    '5XX': refer('5XX'),
  }
}

function withoutContent(
  { description, ...rest }: Response | Reference,
  status: ErrorStatus,
): Response {
  return {
    description: description ?? errors[status].description,
    ...('headers' in rest ? { headers: rest.headers } : {}),
  }
}

function refer(status: ErrorStatus): Reference {
  return { $ref: `#/components/responses/${errors[status].name}` }
}
