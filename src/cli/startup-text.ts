import type { SandboxState } from '../control/sandbox-state.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'

/**
 * Returns the text that the server prints at startup: its URLs, the keys, and three example
 * commands. `header` is the control token header, quoted for a shell.
 */
export function formatStartupText(sandbox: Sandbox, header: string | undefined): string {
  const { baseUrl } = sandbox
  const { organisations, keys, accounts, clock, start } = sandbox.control.state()
  const nameOf = (id: number) =>
    organisations.length > 1
      ? `  ${organisations.find((organisation) => organisation.id === id)?.name ?? ''}`
      : ''
  const keyWidth = Math.max(...keys.map(({ key }) => key.length))
  const roleWidth = Math.max(...keys.map(({ role }) => role.length))
  const userWidth = Math.max(...accounts.map(({ username }) => username.length))
  return [
    `API      ${baseUrl}`,
    `Docs     ${baseUrl}/docs`,
    `Console  ${baseUrl}/_sandbox/`,
    `Clock    ${clock.now}, ${describeClock(clock)}; started at ${start}`,
    '',
    'Keys',
    ...keys.map(({ role, key, organisation }) =>
      trim(`  ${role.padEnd(roleWidth)}  ${key.padEnd(keyWidth)}${nameOf(organisation)}`),
    ),
    '',
    'Accounts',
    ...accounts.map((account) =>
      trim(
        `  ${account.id}  ` +
          `${account.username.padEnd(userWidth)}${nameOf(account.organisation)}${formatRemarks(account)}`,
      ),
    ),
    '',
    'Try',
    ...formatExamples(sandbox, header).map((line) => `  ${line}`),
    '',
  ].join('\n')
}

function describeClock({ mode, rate }: SandboxState['clock']): string {
  if (mode !== 'running') return 'frozen'
  return rate === 1 ? 'running' : `running at ${rate} times real time`
}

function formatRemarks({ connected, session }: SandboxState['accounts'][number]): string {
  return `${connected ? '' : '  disconnected'}${session === 'lapsed' ? '  session lapsed' : ''}`
}

/** Returns the account used in the examples. */
function findExampleAccount({ db }: Sandbox): ReturnType<Sandbox['db']['accounts']['get']> {
  const accounts = db.accounts.all()
  return accounts.find(({ connected, session }) => connected && session === 'active') ?? accounts[0]
}

function formatExamples(sandbox: Sandbox, header: string | undefined): string[] {
  const { baseUrl, control, db } = sandbox
  const { keys } = control.state()
  const account = findExampleAccount(sandbox)
  const key = keys
    .filter(({ organisation }) => organisation === account?.organisation)
    .toSorted((a, b) => b.permissions.length - a.permissions.length)[0]
  const id = account?.id ?? 0
  const fan = db.transactions.find({ accountId: id })?.fanId ?? 1
  const authorization = `-H 'Authorization: Bearer ${key?.key ?? ''}'`
  const json = "-H 'Content-Type: application/json'"
  const token = header === undefined ? '' : ` -H ${header}`
  return [
    `curl ${authorization} '${baseUrl}/v1/${account?.id}/posts?limit=2'`,
    `curl ${authorization} ${json} --data-raw '{"account_ids": [${account?.id}]}' ` +
      `${baseUrl}/v1/fans/${fan}/stats`,
    `curl${token} ${json} --data-raw '{"advance": "2h"}' ${baseUrl}/_sandbox/clock`,
  ]
}

function trim(line: string): string {
  return line.trimEnd()
}

/** Delay before the first progress line, and interval between progress lines, ms. */
const pauseMs = 1000

/**
 * Returns a function that prints seeding progress at most once a second, and nothing if seeding
 * takes less than a second.
 */
export function createProgressPrinter(
  print: (line: string) => void,
  now: () => number,
): (share: number) => void {
  let printedAt = now()
  return (share) => {
    if (now() - printedAt < pauseMs) return
    printedAt = now()
    print(`Generating data: ${Math.floor(share * 100)} %`)
  }
}
