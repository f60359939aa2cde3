import { toIdList } from '../../api/resource.ts'
import { defineResource } from '../define.ts'
import { fanDetailRoutes, fanRoutes } from './routes.ts'
import * as schemas from './schemas.ts'

export const fans = defineResource({
  name: 'fans',
  groups: { Fans: { about: 'Fans and their spending.' } },
  routes: [...fanRoutes, ...fanDetailRoutes],
  schemas: [schemas],
  examples: ({ own }) => {
    const fan = own('chats')['fanId'] ?? own('subscriptions')['fanId']
    return {
      address: { fan_id: fan, user_id: fan, ids: fan === undefined ? undefined : String(fan) },
      body: { withUserId: fan, ids: toIdList(fan) },
    }
  },
})
