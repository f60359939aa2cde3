import { z } from 'zod'
import {
  auditFlags,
  recordFlags,
  replayFlags,
  serveFlags,
  validateFlags,
  verifyFlags,
  watchFlags,
} from '../src/cli/flags.ts'
import { surviveFlags } from '../src/cli/survive/flags.ts'
import { Place } from '../src/hosts/server/network-exposure.ts'
import { SiteOptions } from '../src/hosts/server/routing-options.ts'
import { SandboxOptions } from '../src/sandbox/options.ts'
import type { GeneratedFile } from './generate-media.ts'
import { listFields } from './json-schema.ts'
import type { Shape } from './json-schema.ts'
import { formatMarkdownTable } from './markdown.ts'

const introduction = `# Options

## Sandbox

Options of \`createSandbox(options)\` and \`startServer(options)\`:
`

const server = `## Server

\`startServer(options)\` also has the following options. It starts a server, and its promise resolves to \`{ url, sandbox, stop }\`:
`

const mounted = `\`createApp(sandbox, options)\` has the same options except \`port\`, \`host\` and \`metrics\`. Its option \`hosts\` lists the host names and IP addresses that your app listens on.
`

const command = `## Command

\`npx creator-api-sandbox [flags]\` starts a server. \`--help\` prints this list. \`creator-api-sandbox <command> --help\` prints the flags of a command.
`

type Flags = Readonly<Record<string, { usage: string; help: string; standard?: string }>>

/** The other commands. Each lists only the flags that the server does not have. */
const commands: readonly { usage: string; does: string; flags: Flags }[] = [
  {
    usage: 'replay <scenario>',
    does:
      'Starts a server with a scenario (name or file), and plays its story. The command ' +
      'has all flags of the server except `--scenario` and `--state`, and these:',
    flags: replayFlags,
  },
  {
    usage: 'record [scenario]',
    does:
      'Starts a server with a scenario (name or file, default `agency`), and records all actions and requests that change data. When the ' +
      'server stops (Ctrl+C), it writes them as a scenario. The command has all flags of the ' +
      'server except `--state`, and these:',
    flags: recordFlags,
  },
  {
    usage: 'audit <recording>',
    does:
      "Prints the client's mistakes in a recording and the cost of its requests. Flags: " +
      '`--scenarios`, `--max-memory` and:',
    flags: auditFlags,
  },
  {
    usage: 'survive -- COMMAND',
    does:
      'Runs a command with each variation and on each bad day (a simulated failure of the service), and prints which of them the command survives ([variation](variation.md#from-any-language)). Flags: `--scenario`, ' +
      '`--scenarios`, `--seed`, `--now`, `--overlay`, `--max-memory` and:',
    flags: withoutServerFlags(surviveFlags),
  },
  {
    usage: 'validate <scenario>',
    does: 'Validates a scenario file, and plays its story. Flags: `--scenarios`, `--max-memory` and:',
    flags: validateFlags,
  },
  {
    usage: 'check',
    does: 'Checks that the records of a scenario are consistent. Flags: `--scenario`, `--scenarios`, `--seed`, `--now` and `--max-memory`.',
    flags: {},
  },
  {
    usage: 'scenarios',
    does: 'Prints the names of all scenarios. Flag: `--scenarios`.',
    flags: {},
  },
  {
    usage: 'routes',
    does: 'Prints the routes of the API. Flags: `--overlay`, `--only-documented` and `--no-guesses`.',
    flags: {},
  },
  {
    usage: 'verify',
    does: 'Compares a live service with the sandbox ([verify](verify.md)).',
    flags: verifyFlags,
  },
  {
    usage: 'watch',
    does:
      'Forwards requests to a live service, and records how its responses differ from the ' +
      'sandbox ([watch](verify.md#watch)).',
    flags: watchFlags,
  },
]

/** Generates the page that lists all options of the sandbox, the server and the command line. */
export function generateOptions(): GeneratedFile[] {
  const { hosts: _, ...site } = SiteOptions.shape
  const content = [
    introduction,
    formatOptionTable(SandboxOptions),
    server,
    formatOptionTable(z.strictObject({ ...Place.shape, ...site })),
    mounted,
    command,
    formatFlagTable(serveFlags),
    ...commands.flatMap(({ usage, does, flags }) => [
      `### \`${usage}\`\n`,
      `${does}\n`,
      ...(Object.keys(flags).length === 0 ? [] : [formatFlagTable(flags)]),
    ]),
  ]
  return [{ path: 'docs/options.md', content: content.join('\n') }]
}

/** Removes the flags that the server also has. */
function withoutServerFlags(flags: Flags): Flags {
  return Object.fromEntries(Object.entries(flags).filter(([name]) => !(name in serveFlags)))
}

function formatOptionTable(options: z.ZodObject): string {
  const rows = Object.entries(options.shape).map(([name, schema]) => {
    const [field] = listFields(
      z.toJSONSchema(z.object({ [name]: schema as z.ZodType }), {
        io: 'input',
        unrepresentable: 'any',
      }) as Shape,
    )
    return [`\`${name}\``, (field?.text ?? '').replace(/^(object|any value)( or \w+)*\. /, '')]
  })
  return formatMarkdownTable(['Option', ''], rows)
}

function formatFlagTable(flags: Flags): string {
  return formatMarkdownTable(
    ['Flag', ''],
    Object.values(flags).map(({ usage, help, standard }) => [
      `\`${usage}\``,
      standard === undefined ? help : `${help} Default: \`${standard}\`.`,
    ]),
  )
}
