import { z } from 'zod'
import type { Route } from '../api/route.ts'
import { getSchemaDefinition, unwrapSchema } from '../lib/schema-parts.ts'
import { isObject } from '../lib/plain-json.ts'

/** Path and body of a request. */
export interface FilledRequest {
  path: string
  body: unknown
}

/**
 * Collects ids of the live service from earlier responses, and fills requests with them. The ids
 * are kept only in memory.
 */
export class KnownIds {
  /** Ids by the path of the list they came from, and by kind, such as `user` and `username`. */
  readonly #ids = new Map<string, (string | number)[]>()
  #account: string | undefined

  constructor(account?: string) {
    this.#account = account
  }

  /** Collects the ids in a response. */
  learn(route: Route, data: unknown): void {
    const rows = findLongestList(data)
    if (this.#account === undefined && route.path === accountsPath)
      this.#account = rows
        .map(getRowId)
        .find((id) => id !== undefined)
        ?.toString()
    if (route.method === 'GET')
      this.#add(
        route.id,
        rows.flatMap((row) => getRowId(row) ?? []),
      )
    for (const row of rows) {
      const people = [
        ...peopleKeys.flatMap((key) => row[key] ?? []),
        ...(isUserList(route) ? [row] : []),
      ]
      for (const person of people.filter(isObject)) {
        this.#add(
          'user',
          [getRowId(person)].flatMap((id) => id ?? []),
        )
        this.#add(
          'username',
          [person['username']].filter((name) => typeof name === 'string'),
        )
      }
    }
  }

  /**
   * Returns the path and body of a request to a route. `attempt` 0 uses the first matching ids, and
   * `attempt` 1 uses the second matching ids. Returns the name of a parameter without a known id,
   * or undefined if all ids have been used.
   */
  fill(
    route: Route,
    routes: readonly Route[],
    attempt: number,
  ): FilledRequest | { missing: string } | undefined {
    let path = route.path
    let isDrawn = false
    for (const [, name = ''] of route.path.matchAll(/:(\w+)/g)) {
      const values = this.#getValues(name, route, routes)
      if (values.length === 0) return { missing: name }
      const isId = name !== 'account_id' && listChoices(route.params, name) === undefined
      const value = isId ? values[attempt] : values[0]
      if (value === undefined) return undefined
      isDrawn ||= isId
      path = path.replace(`:${name}`, encodeURIComponent(String(value)))
    }
    if (attempt > 0 && !isDrawn) return undefined
    const query = this.#required(route.query)
    if ('missing' in query) return query
    const body = route.body === null ? { values: undefined } : this.#required(route.body)
    if ('missing' in body) return body
    const search = new URLSearchParams(
      Object.entries(query.values ?? {}).map(([name, value]) => [name, String(value)]),
    ).toString()
    return { path: search === '' ? path : `${path}?${search}`, body: body.values }
  }

  /** Returns the lists that may contain the ids that a route needs and that are still unknown. */
  listSources(route: Route, routes: readonly Route[]): Route[] {
    const filled = this.fill(route, routes, 0)
    if (filled === undefined || !('missing' in filled)) return []
    const { missing } = filled
    const isSource = ({ method, path }: Route) => {
      if (method !== 'GET') return false
      if (missing === 'account_id' || missing === 'account_ids') return path === accountsPath
      return ofPeople.includes(missing)
        ? peoplePaths.includes(path)
        : path === getListPath(missing, route)
    }
    return routes.filter(isSource)
  }

  #getValues(name: string, route: Route, routes: readonly Route[]): readonly (string | number)[] {
    if (name === 'account_id') return this.#account === undefined ? [] : [this.#account]
    const choices = listChoices(route.params, name)
    if (choices !== undefined) return choices
    if (name === 'username') return this.#ids.get('username') ?? []
    if (ofPeople.includes(name)) return this.#ids.get('user') ?? []
    const list = routes.find(
      ({ method, path }) => method === 'GET' && path === getListPath(name, route),
    )
    return (list && this.#ids.get(list.id)) ?? []
  }

  /** Returns values for a route's required fields, by name. */
  #required(
    schema: z.ZodType,
  ): { values: Record<string, unknown> | undefined } | { missing: string } {
    const { shape = {} } = getSchemaDefinition(unwrapSchema(schema, {}))
    const values: Record<string, unknown> = {}
    for (const [name, field] of Object.entries(shape)) {
      if (field.safeParse(undefined).success) continue
      const value = this.#valueOfField(name)
      if (value === undefined) return { missing: name }
      values[name] = value
    }
    return { values }
  }

  #valueOfField(name: string): unknown {
    if (name === 'account_ids' && this.#account !== undefined) return [Number(this.#account)]
    const users = this.#ids.get('user') ?? []
    if (name === 'ids') return users.length === 0 ? undefined : users.slice(0, 3).join(',')
    return name === 'q' || name === 'query' ? 'a' : undefined
  }

  #add(kind: string, ids: readonly (string | number)[]): void {
    const known = this.#ids.get(kind) ?? []
    this.#ids.set(kind, [...new Set([...known, ...ids])].slice(0, maxIds))
  }
}

const maxIds = 20
const accountsPath = '/v1/accounts'
/** Names of row fields that contain a user. */
const peopleKeys = ['user', 'fan', 'withUser', 'fromUser', 'subscriber']

/** Names of fields that identify a user. */
const ofPeople: readonly string[] = ['user_id', 'fan_id', 'username', 'ids']
/** Lists that contain users, most reliable first. */
const peoplePaths: readonly string[] = ['/v1/:account_id/subscribers', '/v1/:account_id/chats']

/** Returns the path of the list whose rows a path parameter identifies. */
function getListPath(name: string, { path }: Route): string {
  return path.slice(0, path.indexOf(`/:${name}`))
}

function isUserList({ path }: Route): boolean {
  return /\/subscribers(?:\/|$)/.test(path) || path === '/v1/fans'
}

function listChoices(params: z.ZodType, name: string): readonly string[] | undefined {
  const field = getSchemaDefinition(params).shape?.[name]
  if (field === undefined) return undefined
  const { enum: choices } = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' })
  return choices?.map(String)
}

const deepest = 4

/** Returns the rows of the longest list of objects in a response. */
export function findLongestList(data: unknown, depth = 0): Readonly<Record<string, unknown>>[] {
  if (Array.isArray(data)) return data.filter(isObject)
  if (!isObject(data) || depth > deepest) return []
  return Object.values(data)
    .map((value) => findLongestList(value, depth + 1))
    .reduce((longest, rows) => (rows.length > longest.length ? rows : longest), [])
}

function getRowId(row: Readonly<Record<string, unknown>>): string | number | undefined {
  const names = [
    'id',
    ...Object.keys(row).filter((name) => name !== 'id' && /(?:^|_)id$|Id$|ID$/.test(name)),
  ]
  const isId = (value: unknown) =>
    typeof value === 'number' || (typeof value === 'string' && value !== '')
  return names.map((name) => row[name] as string | number).find(isId)
}
