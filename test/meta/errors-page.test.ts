import { expect, it } from 'vitest'
import { generateErrors } from '../../scripts/generate-errors.ts'
import { errorCatalogue } from '../../src/error-catalogue.ts'

it('lists all statuses of the catalogue, of the server and of faults on the page of errors', () => {
  const [page] = generateErrors()
  const [, byStatus = ''] = page?.content.split('## By status') ?? []
  for (const { status } of Object.values(errorCatalogue))
    expect(byStatus).toContain(`| ${status} |`)
  expect(byStatus).toContain('| 403 | `host_foreign`, `origin_foreign`, ')
  expect(page?.content).toContain('| `fault_injected` | 400 to 599 |')
})
