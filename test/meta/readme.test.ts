import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { controlRoutes } from '../../src/control/routes/all-routes.ts'
import { routes } from '../../src/resources/all-resources.ts'
import { shippedScenarios } from '../../src/generated/scenario-index.ts'
import { docPages, readPage } from '../support/doc-blocks.ts'

const readme = readPage('README.md')
/** Paths under /_sandbox/ that are server pages, not routes. */
const notRoutes = ['openapi']

it('names all shipped scenarios', () => {
  for (const { name } of shippedScenarios) expect(readme).toContain(`| \`${name}\``)
})

it('states the number of routes by source', () => {
  const count = (starts: string) => routes.filter(({ source }) => source.startsWith(starts)).length
  expect(readme).toContain(`all ${routes.length} routes`)
  expect(readPage('CHANGELOG.md')).toContain(
    `All ${routes.length} routes of the Creator Analytics and Management API: ` +
      `${count('reference')} documented, ${count('published')} published, and ${count('inferred')} `,
  )
})

it('has at most 120 lines: other content goes to docs/', () => {
  expect(readme.split('\n').length - 1).toBeLessThanOrEqual(120)
})

it('links to all pages of docs/ from the index', () => {
  const index = readPage('docs/README.md')
  const missing = docPages.filter(
    (page) =>
      /^docs\/[\w-]+\.md$/.test(page) &&
      page !== 'docs/README.md' &&
      !index.includes(`](${page.replace('docs/', '')})`),
  )
  expect(missing).toEqual([])
})

it('has no page above 250 lines, except generated ones', () => {
  const generated =
    /docs\/(actions|audit|control|data|errors|options|routes|scenarios|variation)\.md/
  const long = docPages.filter(
    (page) => !generated.test(page) && readPage(page).split('\n').length - 1 > 250,
  )
  expect(long).toEqual([])
})

it.each(docPages)('names only control routes that exist: %s', (page) => {
  const paths = new Set([...controlRoutes.map(({ path }) => path.split('/')[1]), ...notRoutes])
  for (const [, name] of readPage(page).matchAll(/\/_sandbox\/(\w+)/g))
    expect(paths).toContain(name)
})

it.each(docPages)('links only to files and headings that exist: %s', (page) => {
  const folder = page.replace(/[^/]*$/, '')
  for (const [, path = '', heading] of readPage(page).matchAll(
    /\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g,
  )) {
    const target = new URL(`../../${path === '' ? page : folder + path}`, import.meta.url)
    expect([path, existsSync(target)]).toEqual([path, true])
    if (heading !== undefined) expect(listHeadings(readFileSync(target, 'utf8'))).toContain(heading)
  }
})

/** Returns a page's anchors as GitHub generates them. */
function listHeadings(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(/\s/g, '-'),
  )
}
