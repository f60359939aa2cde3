import { defineResource } from '../define.ts'
import { claimLink, expireSubscriber, newSubscriber, renewSubscriber } from './actions.ts'
import { addSubscribersToSeries, countActiveSubscribers } from './events.ts'
import { subscriberRoutes } from './routes.ts'
import * as schemas from './schemas.ts'
import { subscriberSizes } from './subscriptions.table.ts'

export const subscribers = defineResource({
  name: 'subscribers',
  groups: {
    Subscribers: {
      about: "An account's subscribers, and the users that it follows, restricted or blocked.",
    },
    Subscriptions: { about: 'The history of subscriptions.' },
  },
  routes: subscriberRoutes,
  schemas: [schemas],
  actions: [newSubscriber, renewSubscriber, expireSubscriber, claimLink],
  sizes: subscriberSizes,
  series: addSubscribersToSeries,
  figures: {
    subscribers: {
      label: 'Subscribers',
      unit: 'count',
      read: (world, { accounts }) =>
        accounts.reduce((sum, id) => sum + countActiveSubscribers(world, id, world.clock.now()), 0),
    },
  },
})
