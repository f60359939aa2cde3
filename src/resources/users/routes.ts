import { z } from 'zod'
import { createRouteDefiner } from '../define.ts'
import { reportUser, requireOtherUser, setUserMark } from './marks.ts'

const defineRoute = createRouteDefiner({ group: 'User actions', evidence: 'a sibling service' })
const anyOther =
  'Accepts any user of the platform. Returns 400 for the account itself, 404 for an unknown id, ' +
  'and 403 for a user who deleted their profile.'

const block = defineRoute({
  id: 'POST /v1/:account_id/users/:user_id/block',
  permission: 'api_users_block',
  summary: 'Block a user',
  errors: ['user_unknown', 'fan_deleted'],
  rules: [
    'isBlocked becomes true in every user object, and the user is added to the list of blocked ' +
      'users. Has no effect on a user who is already blocked.',
    anyOther,
    'Removes the fan from the subscriber lists, their counts, the top subscribers, and the ' +
      'system lists fans, recent and friends. Custom lists and the subscription do not change.',
  ],
  handle({ world, account, params }) {
    const { id } = requireOtherUser(world, account.id, params.user_id)
    setUserMark(world, account.id, id, { mark: 'blocked', isSet: true })
  },
})

const unblock = defineRoute({
  id: 'DELETE /v1/:account_id/users/:user_id/block',
  permission: 'api_users_unblock',
  summary: 'Unblock a user',
  errors: ['user_unknown', 'fan_deleted'],
  rules: [
    'Has no effect on a user who is not blocked. The fan becomes a subscriber again, unless ' +
      'the subscription has ended in the meantime.',
  ],
  handle({ world, account, params }) {
    const { id } = requireOtherUser(world, account.id, params.user_id)
    setUserMark(world, account.id, id, { mark: 'blocked', isSet: false })
  },
})

const restrict = defineRoute({
  id: 'POST /v1/:account_id/users/:user_id/restrict',
  permission: 'api_users_restrict',
  summary: 'Restrict a user',
  errors: ['user_unknown', 'fan_deleted'],
  rules: [
    'isRestricted becomes true in every user object, and the user is added to the list of ' +
      'restricted users. A restricted fan stays a subscriber.',
    anyOther,
  ],
  handle({ world, account, params }) {
    const { id } = requireOtherUser(world, account.id, params.user_id)
    setUserMark(world, account.id, id, { mark: 'restricted', isSet: true })
  },
})

const unrestrict = defineRoute({
  id: 'DELETE /v1/:account_id/users/:user_id/restrict',
  permission: 'api_users_unrestrict',
  summary: 'Lift the restriction of a user',
  errors: ['user_unknown', 'fan_deleted'],
  rules: ['Has no effect on a user who is not restricted.'],
  handle({ world, account, params }) {
    const { id } = requireOtherUser(world, account.id, params.user_id)
    setUserMark(world, account.id, id, { mark: 'restricted', isSet: false })
  },
})

const report = defineRoute({
  id: 'POST /v1/:account_id/users/:user_id/report',
  permission: 'api_users_report',
  evidence: "named in the service's own older reference; body and response by analogy",
  summary: 'Report a user',
  errors: ['user_unknown', 'fan_deleted'],
  rules: [
    'canReport becomes false in every user object of the account. A new report replaces the ' +
      'previous one.',
    anyOther,
  ],
  body: () =>
    z.object({ reason: z.string().max(1000).regex(/\S/, { error: 'it must not be empty' }) }),
  handle({ world, account, params, body }) {
    const { id } = requireOtherUser(world, account.id, params.user_id)
    reportUser(world, account.id, id, body.reason)
  },
})

export const userActionRoutes = [block, unblock, restrict, unrestrict, report]
