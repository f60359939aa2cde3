import { defineResource } from '../define.ts'
import { claimLink, expireSubscriber, newSubscriber, renewSubscriber } from './actions.ts'
import { createSubscriptionEventUpdater } from './events.ts'
import { subscriberRoutes } from './routes.ts'
import * as schemas from './schemas.ts'
import { addSubscribersToSeries, countActiveSubscribers } from './series.ts'
import { subscriberSizes } from './sizes.ts'
import { findNextSubscriptionExpiry, createLastActivityUpdater } from './subscriptions.ts'

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
  listeners: [
    {
      name: 'last activity of subscribers',
      attach: (world) => world.db.fans.onChange(createLastActivityUpdater(world)),
    },
    {
      name: 'events of subscriptions',
      attach: (world) => world.db.subscriptions.onChange(createSubscriptionEventUpdater(world)),
    },
  ],
  agenda: [
    {
      name: 'lapsing subscriptions',
      after: ['story', 'ends of trial links'],
      next: findNextSubscriptionExpiry,
    },
  ],
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
