import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startCommand } from '../support/command.ts'
import { python } from '../support/python.ts'

const page = new URL('../../examples/python-survive/README.md', import.meta.url)
const examples = 'examples/python-survive'

const flags = ['--scenario', 'solo', '--now', '2026-10-01T09:30:00Z', '--seeds', '3']

/** Runs an example as its page describes. Returns the printed table and the exit code. */
async function survive(file: string, ...further: string[]) {
  const command = ['--', python, `${examples}/${file}`]
  const { code, stdout } = await startCommand('survive', ...flags, ...further, ...command).ended
  const [table = '', summary = ''] = stdout.split('\n\n')
  return { code, text: `${table}\n\n${summary.split('\n')[0]}` }
}

it.skipIf(!python)('prints the tables that the page for Python shows', async () => {
  const wrong = await survive('report.py')
  const fixed = await survive('fixed_report.py', '--expect-error', 'HTTP Error (401|402|404|424)')
  expect(wrong.code, wrong.text).toBe(1)
  expect(fixed.code, fixed.text).toBe(0)
  let shown = readFileSync(page, 'utf8')
  for (const [mark, { text }] of Object.entries({
    '<!-- report.py -->': wrong,
    '<!-- fixed_report.py --expect-error -->': fixed,
  })) {
    const place = shown.indexOf(mark)
    expect(place, mark).toBeGreaterThan(0)
    const [before, after] = [shown.slice(0, place), shown.slice(place)]
    shown = before + after.replace(/```text\n[^]*?```/, () => `\`\`\`text\n${text}\n\`\`\``)
  }
  await expect(shown).toMatchFileSnapshot(page.pathname)
})
