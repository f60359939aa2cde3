import { expect, it } from 'vitest'
import { generateFiles } from '../../scripts/generators.ts'
import { expectSameText } from '../support/expectations.ts'

it('generates the same files twice', async () => {
  const [files, again] = [await generateFiles(), await generateFiles()]

  expect(again.map(({ path }) => path)).toEqual(files.map(({ path }) => path))
  for (const [index, { path, content }] of files.entries())
    expectSameText(again[index]?.content ?? '', content, `${path}, generated a second time`)
})
