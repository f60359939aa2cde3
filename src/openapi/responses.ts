import { ErrorBody, Meta, Pagination } from '../api/envelope.ts'
import type { Route } from '../api/route.ts'
import { errorCatalogue } from '../error-catalogue.ts'
import type { ErrorCode } from '../error-catalogue.ts'
import { toJsonContent } from './document.ts'
import type { Content, Reference, Response } from './document.ts'
import { createErrorExample, listErrorCodes } from './errors.ts'
import type { JsonSchema, SchemaWriter } from './schemas.ts'

const refusedByServer =
  'Also returned, at no cost, if the server rejects the Host or Origin header.'

const errors = {
  400: {
    name: 'BadRequest',
    description:
      'A parameter or the body is not valid. The message contains the parameter, its value and ' +
      'the allowed values. Costs 1 credit.',
  },
  401: {
    name: 'Unauthorized',
    description: 'The API key is missing or not valid. Costs no credit.',
  },
  402: {
    name: 'PaymentRequired',
    description:
      'The organisation has no active subscription, or is out of credits. Costs 1 credit.',
  },
  403: {
    name: 'Forbidden',
    description:
      'The role of the key does not have the permission of the route, or the record is ' +
      `protected. Costs 1 credit. ${refusedByServer}`,
  },
  404: {
    name: 'NotFound',
    description:
      "The account is not a connected account of the caller's organisation, or the record does " +
      'not exist. Costs 1 credit.',
  },
  413: { name: 'ContentTooLarge', description: 'The request body is too large. Costs 1 credit.' },
  416: { name: 'RangeNotSatisfiable', description: 'The range is outside the file.' },
  424: {
    name: 'FailedDependency',
    description: "The account's upstream session has lapsed. Costs 1 credit.",
  },
  429: {
    name: 'TooManyRequests',
    description: 'The organisation exceeded a rate limit. Costs no credit.',
  },
  502: { name: 'BadGateway', description: 'The platform refused the request.' },
  '5XX': { name: 'ServerError', description: 'The service failed. Costs 1 credit.' },
} as const

type ErrorStatus = `${keyof typeof errors}`

/** Descriptions of media link errors, which differ from the general ones. */
const fileErrors = {
  403: `The link is incomplete, was changed, or has expired. ${refusedByServer}`,
  404: "The link's account was disconnected or removed, or its media no longer exists.",
  416: errors[416].description,
  429: 'The account loaded too many new files in this minute.',
  502: 'The platform refused the fetch.',
} as const satisfies Partial<Record<ErrorStatus, string>>

/** Descriptions of upload URL errors, which differ from the general ones. */
const uploadErrors = {
  400: 'The body is empty, or the part number is not an integer.',
  403: `The URL has expired. ${refusedByServer}`,
  404: 'The URL does not belong to an upload, or the upload is finished.',
  413: 'The part is too large.',
} as const satisfies Partial<Record<ErrorStatus, string>>

const fileHeaders: Response['headers'] = {
  'Content-Length': {
    description: 'Number of bytes in the body.',
    schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: 'int64' },
  },
  'Accept-Ranges': {
    description: 'Range requests are supported.',
    schema: { type: 'string', const: 'bytes' },
  },
  'Cache-Control': {
    description: 'The client may cache the file, but a proxy must not.',
    schema: { type: 'string', const: 'private' },
  },
}

/** The responses of a route, by status. */
export function toResponses(
  route: Route,
  writer: SchemaWriter,
): Record<string, Response | Reference> {
  if (route.fileLimit !== undefined) return createUploadResponses()
  if (route.data === null) return createFileResponses()
  const data = writer.write(route.data, 'answer')
  const success: Response = {
    description: 'Done.',
    content: toJsonContent(
      route.accessChecks === 'none' ? data : wrapInEnvelope(data, route, writer),
    ),
  }
  const refusals = listErrorStatuses(route).map((status) => [
    status,
    createResponseReference(status),
  ])
  return { [route.status ?? 200]: success, ...Object.fromEntries(refusals) }
}

/** Returns the responses to `HEAD` on a route: the responses of the route, without bodies. */
export function toHeadResponses(route: Route, writer: SchemaWriter): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(toResponses(route, writer)).map(([status, response]) => [
      status,
      removeContent(response, status as ErrorStatus),
    ]),
  )
}

/** Returns the error responses shared by all routes, by name. */
export function createErrorComponents(writer: SchemaWriter): Record<string, Response> {
  const schema = writer.write(ErrorBody, 'answer')
  const codes = Object.keys(errorCatalogue) as ErrorCode[]
  return Object.fromEntries(
    Object.entries(errors).map(([status, { name, description }]) => {
      const examples = codes
        .filter((code) => getErrorStatus(code) === status)
        .map((code) => [code, { value: createErrorExample(code) }])
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
    ? 'next_page is a bare offset in a string. Omitted on the last page.'
    : 'Omitted on the last page.'
}

function listErrorStatuses(route: Route): ErrorStatus[] {
  const statuses = new Set(listErrorCodes(route).map((code) => String(getErrorStatus(code))))
  return (Object.keys(errors) as ErrorStatus[]).filter((status) => statuses.has(status))
}

/**
 * Returns the status under which the document lists an error. All server errors except 502 share
 * one status.
 */
function getErrorStatus(code: ErrorCode): ErrorStatus {
  const status = String(errorCatalogue[code].status)
  return status in errors ? (status as ErrorStatus) : '5XX'
}

function createFileResponses(): Record<string, Response | Reference> {
  const content: Content = Object.fromEntries(
    ['image/*', 'video/*', 'audio/*'].map((type) => [
      type,
      { schema: { type: 'string', format: 'binary' } },
    ]),
  )
  const range = {
    'Content-Range': {
      description: 'The range of the returned bytes, and the total size.',
      schema: { type: 'string' as const },
    },
  }
  return {
    200: { description: 'The file.', headers: fileHeaders, content },
    206: {
      description: 'The requested range of the file.',
      headers: { ...fileHeaders, ...range },
      content,
    },
    ...createErrorReferences(fileErrors),
  }
}

function createUploadResponses(): Record<string, Response | Reference> {
  return {
    200: {
      description: 'Taken.',
      headers: {
        ETag: { description: 'The MD5 of the bytes, in quotes.', schema: { type: 'string' } },
      },
    },
    ...createErrorReferences(uploadErrors),
  }
}

/** Returns error responses with other descriptions than the shared ones. */
function createErrorReferences(descriptions: object): Record<string, Reference> {
  const refusals = Object.entries(descriptions).map(([status, description]) => [
    status,
    { ...createResponseReference(status as ErrorStatus), description },
  ])
  return { ...Object.fromEntries(refusals), '5XX': createResponseReference('5XX') }
}

function removeContent(
  { description, ...rest }: Response | Reference,
  status: ErrorStatus,
): Response {
  return {
    description: description ?? errors[status].description,
    ...('headers' in rest ? { headers: rest.headers } : {}),
  }
}

function createResponseReference(status: ErrorStatus): Reference {
  return { $ref: `#/components/responses/${errors[status].name}` }
}
