import { startCommand } from './command.ts'

/**
 * Returns command-line arguments that run the given client code. In the code, `api` sends a request
 * and returns the response.
 */
export const client = (code: string) => [
  '--',
  process.execPath,
  '--input-type=module',
  '-e',
  `const { CREATOR_API_URL: url, CREATOR_API_KEY: key, CREATOR_API_ACCOUNT: account } = process.env
const api = async (path, tag) => {
  const response = await fetch(url + path, {
    method: tag === undefined ? 'GET' : 'POST',
    headers: { authorization: 'Bearer ' + key, 'content-type': 'application/json' },
    ...(tag === undefined ? {} : { body: JSON.stringify({ name: tag }) }),
  })
  if (!response.ok) throw new Error('status ' + response.status)
  return (await response.json()).data
}
${code}`,
]

/** Runs `survive` on the scenario solo and returns its end. */
export const survive = (...flags: string[]) =>
  startCommand('survive', '--scenario', 'solo', '--jobs', '2', ...flags).ended
