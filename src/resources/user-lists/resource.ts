import { toIdList } from '../../api/resource.ts'
import { defineResource } from '../define.ts'
import { userListRoutes } from './routes.ts'
import * as schemas from './view.ts'
import { userListSizes } from './user-lists.table.ts'

export const userLists = defineResource({
  name: 'user-lists',
  groups: {
    'User Lists': {
      about: 'Lists of users.',
      // The example uses a member, because only a member can be removed from a list.
      examples: ({ own }) => {
        const { listId, userId } = own('userListMembers')
        return listId === undefined ? {} : { address: { list_id: listId, user_id: userId } }
      },
    },
  },
  routes: userListRoutes,
  schemas: [schemas],
  examples: ({ own }) => {
    const { id } = own('userLists')
    return { address: { list_id: id }, body: { listIds: toIdList(id) } }
  },
  sizes: userListSizes,
})
