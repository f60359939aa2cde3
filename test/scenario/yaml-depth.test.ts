import { expect, it } from 'vitest'
import { readOverlay } from 'creator-api-sandbox/overlay'
import { readYaml, YamlError } from '../../src/scenario/yaml.ts'
import { openControlClient } from '../support/control.ts'

it.each([
  ['lists in brackets', `a: ${'['.repeat(10_000)}`],
  ['maps in braces', `a: ${'{a: '.repeat(10_000)}`],
  ['dashes', `${'- '.repeat(10_000)}a`],
  ['dashes after a document marker', `--- ${'- '.repeat(10_000)}a`],
  ['question marks', '? '.repeat(10_000)],
  ['brackets after unmatched ones', `${']'.repeat(200)}\n- ${'['.repeat(10_000)}`],
  [
    'lines with growing indentation',
    Array.from({ length: 80 }, (_, n) => `${' '.repeat(n)}a:`).join('\n'),
  ],
])('rejects values that are nested deeper than 64 levels: %s', async (_, text) => {
  await expect(readYaml(text)).rejects.toThrow('nested more than 64 levels deep')
})

it.each([
  ['texts with brackets', Array.from({ length: 200 }, () => `- 'a [ text {'\n- b [ c`).join('\n')],
  ['many lists side by side', Array.from({ length: 200 }, () => '- [[1], {a: [2]}]').join('\n')],
  ['60 levels', `${'['.repeat(60)}${']'.repeat(60)}`],
])('takes %s', async (_, text) => {
  const { document } = await readYaml(text)
  expect(document.errors).toEqual([])
})

it.each([
  ['dashes and tabs', '-\t'.repeat(10_000)],
  ['dashes after a colon', `: ${'- '.repeat(10_000)}`],
  ['colons', ': '.repeat(10_000)],
  ['unmatched brackets', ']'.repeat(50_000)],
  ['anchors', '&a '.repeat(10_000)],
])('rejects %s, and keeps running', async (_, text) => {
  await expect(readYaml(text)).rejects.toThrow(YamlError)
})

it('rejects more than 1,000 aliases', async () => {
  const text = (count: number) => `x: &a {}\ny:\n${'  - <<: *a\n'.repeat(count)}`
  await expect(readYaml(text(20_000))).rejects.toThrow('more than 1000 aliases')
  expect((await readYaml(text(1_000))).document.errors).toEqual([])
})

it.each(['scenario', 'overlay', 'faults', 'actions', 'snapshot', 'records'])(
  'rejects JSON of 100,000 levels as %s, and keeps running',
  async (kind) => {
    const { ask } = await openControlClient()
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const status = async (method: string, path: string, body: string) =>
      (await ask(method, `/_sandbox/${path}`, { body })).status
    const send: Record<string, () => Promise<unknown>> = {
      scenario: () => status('PUT', 'scenario', JSON.stringify({ yaml: deep })),
      overlay: () => readOverlay(deep).then(String, () => 400),
      faults: () => status('POST', 'faults', `{"status":500,"body_fields":${deep}}`),
      actions: () => status('POST', 'actions', `{"type":"tip","account_id":${deep}}`),
      snapshot: () => status('PUT', 'snapshot', `{"version":1,"tables":{"tags":[{"id":${deep}}]}}`),
      records: () => status('POST', 'data/tags', `{"name":${deep}}`),
    }
    expect(await send[kind]?.()).toBe(400)
  },
)
