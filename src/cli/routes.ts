import type { Route } from '../api/route.ts'
import { getSourceLevel } from '../api/source.ts'
import { describeSource } from '../openapi/operation.ts'
import { routes as shippedRoutes } from '../resources/all-resources.ts'
import type { ServeFlags } from './flags.ts'
import type { Host } from './host.ts'
import { readOverlaySources } from '../overlay/overlay.ts'

/** Prints the routes of a server that uses these flags: method, path, permission and source. */
export async function listRoutes(
  {
    overlay,
    onlyDocumented,
    noGuesses,
  }: Pick<ServeFlags, 'overlay' | 'onlyDocumented' | 'noGuesses'>,
  host: Host,
): Promise<void> {
  const served = (await readRoutes(overlay)).filter(({ source }) => {
    const level = getSourceLevel(source)
    return onlyDocumented === true
      ? level === 'documented'
      : noGuesses !== true || level !== 'inferred'
  })
  const [widest, widestPermission] = [
    Math.max(...served.map(({ path }) => path.length)),
    Math.max(...served.map(({ permission }) => permission?.length ?? 1)),
  ]
  for (const route of served) {
    const { id, method, path, permission, source, evidence, rules = [] } = route
    const moved = id === `${method} ${path}` ? '' : `; replaces ${id}`
    const seen = rules.some((rule) => rule.startsWith('An overlay changes it'))
      ? '; an overlay changes it'
      : ''
    const known = `${describeSource({ source, evidence })}${moved}${seen}`
    host.stdout.write(
      `${method.padEnd(6)} ${path.padEnd(widest)}  ` +
        `${(permission ?? '-').padEnd(widestPermission)}  ${known}\n`,
    )
  }
}

/** Returns the routes of the sandbox, changed by the overlays if there are any. */
export async function readRoutes(overlay: ServeFlags['overlay']): Promise<readonly Route[]> {
  return overlay === undefined
    ? shippedRoutes
    : ((await readOverlaySources(overlay)).routes as readonly Route[])
}
