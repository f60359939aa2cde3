import { defineResource } from '../define.ts'
import { promotionRoutes } from './routes.ts'
import * as schemas from './schemas.ts'
import { promotionSizes } from './promotions.table.ts'

export const promotions = defineResource({
  name: 'promotions',
  routes: promotionRoutes,
  schemas: [schemas],
  examples: ({ own }) => ({
    address: { promo_id: own('promotions').id },
    body: {
      type: 'new',
      discount: 20,
      subscribeCounts: 0,
      subscribeDays: 30,
      finishDays: 7,
      message: 'Come in',
    },
  }),
  sizes: promotionSizes,
})
