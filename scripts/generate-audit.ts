import type { Rule } from '../src/audit/rule.ts'
import { rules } from '../src/audit/rules.ts'
import type { GeneratedFile } from './generated-file.ts'
import { updatePage } from './markdown.ts'

/** Generates the rules of the audit page, with a mistake and its fix for each rule. */
export function generateAudit(): GeneratedFile[] {
  return [updatePage('docs/audit.md', { '## Rules': rules.map(describe).join('\n') })]
}

function describe({
  name,
  severity,
  mistake,
  advice,
  source,
  example: { wrong, right },
}: Rule): string {
  const code = [`// wrong`, wrong, '// right', right].join('\n')
  return `### \`${name}\`\n\n*${severity}.* ${mistake} ${advice} (${source})\n\n\`\`\`js fragment\n${code}\n\`\`\`\n`
}
