import { readFileSync } from 'node:fs'

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const versions = new RegExp(`("version": ?)"${version.replaceAll('.', '\\.')}"`, 'g')

/**
 * Replaces the parts of a body that vary: the package version, the digest in `/health` (which
 * depends on the version), and the server port.
 */
export function maskBody(body: string): string {
  return body
    .replace(versions, '$1"<version>"')
    .replace(/("digest": ?)"[0-9a-f]{16}"/g, '$1"<digest>"')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>')
}
