import { expect, it } from 'vitest'
import { readYaml } from '../../src/scenario/yaml.ts'

it.each([
  ['lists in brackets', `a: ${'['.repeat(10_000)}`],
  ['maps in braces', `a: ${'{a: '.repeat(10_000)}`],
  ['dashes', `${'- '.repeat(10_000)}a`],
  [
    'lines that go further in',
    Array.from({ length: 80 }, (_, n) => `${' '.repeat(n)}a:`).join('\n'),
  ],
])('refuses values that are nested deeper than 64 levels: %s', async (_, text) => {
  await expect(readYaml(text)).rejects.toThrow('nested in more than 64 levels')
})

it.each([
  ['texts with brackets', Array.from({ length: 200 }, () => `- 'a [ text {'\n- b [ c`).join('\n')],
  ['many lists side by side', Array.from({ length: 200 }, () => '- [[1], {a: [2]}]').join('\n')],
  ['60 levels', `${'['.repeat(60)}${']'.repeat(60)}`],
])('takes %s', async (_, text) => {
  const { document } = await readYaml(text)
  expect(document.errors).toEqual([])
})
