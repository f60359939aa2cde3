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
import type { GeneratedFile } from './generated-file.ts'
import { listFields } from './json-schema.ts'
import type { Shape } from './json-schema.ts'
import { formatMarkdownTable, updatePage } from './markdown.ts'

type Flags = Readonly<Record<string, { usage: string; help: string; standard?: string }>>

/** Flags of the other commands, by heading. Each lists only the flags that the server does not have. */
const commands: Readonly<Record<string, Flags>> = {
  '### `replay <scenario>`': replayFlags,
  '### `record [scenario]`': recordFlags,
  '### `audit <recording>`': auditFlags,
  '### `survive -- COMMAND`': withoutServerFlags(surviveFlags),
  '### `validate <scenario>`': validateFlags,
  '### `verify`': verifyFlags,
  '### `watch`': watchFlags,
}

/** Generates the tables of all options of the sandbox, the server and the command line. */
export function generateOptions(): GeneratedFile[] {
  const { hosts: _, ...site } = SiteOptions.shape
  return [
    updatePage('docs/options.md', {
      '## Sandbox': formatOptionTable(SandboxOptions),
      '## Server': formatOptionTable(z.strictObject({ ...Place.shape, ...site })),
      '## Command': formatFlagTable(serveFlags),
      ...Object.fromEntries(
        Object.entries(commands).map(([heading, flags]) => [heading, formatFlagTable(flags)]),
      ),
    }),
  ]
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
