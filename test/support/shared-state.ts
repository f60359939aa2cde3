import { createSandbox } from '../../src/index.ts'
import type { RunningRedis } from './redis.ts'

/** Server options that `addTag` and `listTags` require. */
export const solo = ['--scenario', 'solo', '--seed', '3', '--clock', 'frozen']
const json = { 'content-type': 'application/json' }

/** Reads JSON from a server. */
export async function readJson(url: string, path: string) {
  return (await fetch(`${url}${path}`)).json()
}

/** Sends JSON to a server. */
export function sendJson(
  url: string,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: json }
  return fetch(`${url}${path}`, { method, ...sent })
}

/** Sends a request to the tags route in a world. An empty name selects the main world. */
export async function requestTags(
  url: string,
  { world, ...init }: RequestInit & { world: string },
) {
  using sandbox = createSandbox({ scenario: 'solo', seed: 3 })
  const key = `${sandbox.keys.owner}${world && `~${world}`}`
  return fetch(`${url}/v1/tags`, { ...init, headers: { ...json, authorization: `Bearer ${key}` } })
}

/** Adds a tag to a world and returns the response status. */
export async function addTag(url: string, name: string, world = ''): Promise<number> {
  return (await requestTags(url, { world, method: 'POST', body: JSON.stringify({ name }) })).status
}

/** Returns the names of a world's tags. */
export async function listTags(url: string, world = ''): Promise<string[]> {
  const { data } = await (await requestTags(url, { world })).json()
  return data.list.map(({ name }: { name: string }) => name)
}

/** Returns the server that holds the lease on a world. */
export async function findLeaseOwner(
  { ask }: RunningRedis,
  id: string,
): Promise<string | undefined> {
  return /\d+ \d+ (.*)/.exec(await ask(`HGET creator-api-sandbox:owners ${id}`))?.[1]
}
