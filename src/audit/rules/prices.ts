import { groupBy } from '../../lib/group-by.ts'
import { defineRule } from '../rule.ts'
import type { AuditedRequest } from '../audited-request.ts'

/** Minimum price of a post on similar services, in dollars. */
const minPrice = 3
const maxPrice = 200

export const unusualPrice = defineRule({
  name: 'unusual-price',
  severity: 'warning',
  mistake:
    `A post with a price below ${minPrice} or above ${maxPrice} dollars, or a paid post ` +
    'without media. The sandbox accepts these posts, because the reference does not limit prices.',
  advice:
    `Similar services reject posts with such prices. Use 0, or ${minPrice} to ${maxPrice} ` +
    `dollars, and ` +
    'attach media to paid posts.',
  source: 'reference §4 Posts sets no bounds; the bounds come from similar services',
  example: {
    wrong: "post(`/v1/${account}/posts`, { text: 'Hello', price: 1 })",
    right: "post(`/v1/${account}/posts`, { text: 'Hello', price: 5, mediaFiles: [mediaId] })",
  },
  find({ requests }) {
    const unusual = requests.flatMap((request) => {
      const fact = describeUnusualPrice(request)
      return fact === undefined ? [] : [{ request, fact }]
    })
    const groups = groupBy(unusual, ({ request, fact }) => `${request.name} ${fact}`)
    return [...groups.values()].map((group) => {
      const [{ request, fact }] = group as [(typeof unusual)[number]]
      return {
        message: `${request.name} received ${fact}.`,
        requests: group.map((each) => each.request),
      }
    })
  },
})

const writes = ['POST /v1/:account_id/posts', 'PUT /v1/:account_id/posts/:post_id']

/**
 * Describes the price of an accepted post if it is unusual. Returns undefined if the price is usual
 * or absent.
 */
function describeUnusualPrice(request: AuditedRequest): string | undefined {
  const { route, method, isGood } = request
  if (route === undefined || !writes.includes(route.id) || !isGood) return undefined
  const { fields } = request.facts
  const [price, mediaFiles] = [fields.get('price'), fields.get('mediaFiles')]
  if (typeof price !== 'number' || price === 0) return undefined
  if (price < minPrice || price > maxPrice) return `the price ${price}`
  // Assumes that a post has media if an update omits mediaFiles, because the update keeps them.
  const hasMedia = mediaFiles === undefined ? method === 'PUT' : mediaFiles !== '[]'
  return hasMedia ? undefined : `the price ${price} without media`
}
