import { z } from 'zod'
import { createWindowSchema, offset } from '../../lib/fields.ts'
import { readPinnedPage } from '../../api/lists/paging.ts'
import { readWindow } from '../../api/lists/windows.ts'
import { Page } from '../../api/route.ts'
import { createRouteDefiner } from '../define.ts'
import { computeEarningStatistics } from '../earnings/list.ts'
import {
  computeBalances,
  computePayableCents,
  getPayoutSettings,
  payoutTerms,
  requestPayout,
  setPayoutFrequency,
  toPayoutItem,
} from './payouts.ts'
import {
  EarningStatistics,
  marker,
  PayoutBalances,
  PayoutEligibility,
  PayoutFrequency,
  PayoutPage,
  PayoutRequestBody,
  PayoutRequested,
  PayoutSystems,
  payoutSystems,
} from './schemas.ts'

const defineRoute = createRouteDefiner({ group: 'Payouts' })
const onSiblings = 'a sibling service'
const rowsPerPage = 10
const periodNames = { manual: 'Manual', weekly: 'Weekly', monthly: 'Monthly' } as const

const listRequests = defineRoute({
  id: 'GET /v1/:account_id/payouts/requests',
  permission: 'api_payouts_list_requests',
  source: 'published',
  summary: 'List the payouts of an account',
  errors: ['window_reversed'],
  rules: [
    'Newest first, ten rows per page.',
    'marker is the time of the first page. Send marker unchanged with later pages, so new ' +
      'payouts do not shift the pages.',
    'If several payouts fall in the same second, their markers are consecutive seconds.',
    `The state of a payout changes from pending to approved after ${payoutTerms.approvalDays} ` +
      `days, and to paid ${payoutTerms.transferDays} days later.`,
  ],
  pagination: { next: 'address', last: 'omitted' },
  query: () => ({ ...createWindowSchema(), offset, marker: marker() }),
  data: PayoutPage,
  handle({ world, account, query }) {
    const window = readWindow(query, world.clock.now())
    const pinned = readPinnedPage(
      world.db.payouts.in('byAccount', account.id),
      { window, offset: query.offset, limit: rowsPerPage, marker: query.marker },
      world.clock.now(),
    )
    return new Page(
      { list: pinned.rows.map((row) => world.json(toPayoutItem, row)), marker: pinned.marker },
      pinned.next && { ...pinned.next, marker: pinned.marker },
    )
  },
})

const readBalances = defineRoute({
  id: 'GET /v1/:account_id/payouts/balances',
  permission: 'api_payouts_read_balances',
  evidence: onSiblings,
  summary: "Read an account's balances",
  rules: [
    `Earnings are pending for ${payoutTerms.pendingDays} days, or longer if their status is ` +
      'still loading or pending_return. Balances exclude refunds.',
    'Unless the account owes money, its lifetime net earnings are the sum of the available ' +
      'balance, the pending balance and all payouts that are not rejected. Earnings without a ' +
      'time are never pending. They are available when their status is done.',
    'The account owes money if a chargeback exceeds its balance. payoutAvailable is then 0 ' +
      'until the account has earned the difference.',
  ],
  data: PayoutBalances,
  handle({ world, account }) {
    const { available, pending } = computeBalances(world, account.id)
    return {
      currency: payoutTerms.currency,
      payoutAvailable: available / 100,
      payoutPending: pending / 100,
      minPayoutSumm: payoutTerms.min,
      maxPayoutSumm: payoutTerms.max,
      manualPayoutPendingDays: payoutTerms.pendingDays,
      withdrawalPeriod: getPayoutSettings(world, account.id).frequency,
      withdrawalPeriodOptions: PayoutFrequency.options.map((code) => ({
        code,
        name: periodNames[code],
      })),
    }
  },
})

const createRequest = defineRoute({
  id: 'POST /v1/:account_id/payouts/requests',
  permission: 'api_payouts_create_request',
  evidence: 'a sibling service; path by analogy',
  summary: 'Request a payout',
  errors: ['payout_system_missing'],
  rules: [
    `Returns 400 if amount is below ${payoutTerms.min} dollars, above ${payoutTerms.max} ` +
      'dollars, or above the available balance.',
    'The payout reduces the available balance immediately.',
  ],
  body: () => PayoutRequestBody,
  data: PayoutRequested,
  handle({ world, account, body }) {
    const { state, rejectReason } = requestPayout(world, account, body.amount)
    return { list: [{ state, rejectReason }] }
  },
})

const readEligibility = defineRoute({
  id: 'GET /v1/:account_id/payouts/eligibility',
  permission: 'api_payouts_read_eligibility',
  evidence: onSiblings,
  summary: 'Read whether an account can request a payout',
  rules: [
    'An account can request a payout if a payout system is selected and the minimum amount is ' +
      'available.',
  ],
  data: PayoutEligibility,
  handle({ world, account }) {
    const { system } = getPayoutSettings(world, account.id)
    return {
      canReceiveManualPayout: computePayableCents(world, account.id) > 0,
      isVerifiedReason: false,
      needUpdateBanking: system === null,
    }
  },
})

const updateFrequency = defineRoute({
  id: 'PATCH /v1/:account_id/payouts/payout-frequency',
  permission: 'api_payouts_update_frequency',
  evidence: onSiblings,
  summary: "Set an account's payout schedule",
  rules: [
    'The balances route returns the schedule as withdrawalPeriod.',
    'weekly pays out the available balance on Mondays, and monthly on the first of the month, ' +
      'at midnight UTC, if the account can request a payout.',
  ],
  body: () => z.object({ frequency: PayoutFrequency }),
  handle({ world, account, body }) {
    setPayoutFrequency(world, account, body.frequency)
  },
})

const readStatistics = defineRoute({
  id: 'GET /v1/:account_id/payouts/earning-statistics',
  permission: 'api_payouts_read_earning_statistics',
  evidence: onSiblings,
  summary: "Read an account's lifetime earnings",
  rules: [
    'Sums exclude refunds.',
    'total.all equals the spending in the fan routes. total also contains earnings without a ' +
      'time, which belong to no month.',
  ],
  data: EarningStatistics,
  handle: ({ world, account }) => ({ list: world.json(computeEarningStatistics, account) }),
})

const listSystems = defineRoute({
  id: 'GET /v1/:account_id/payouts/systems',
  permission: 'api_payouts_list_systems',
  evidence: 'a sibling service; path by analogy',
  summary: 'List the payout systems',
  data: PayoutSystems,
  handle({ world, account }) {
    const { system } = getPayoutSettings(world, account.id)
    return {
      list: payoutSystems.map(({ code, name }) => ({ code, name, isSelected: code === system })),
    }
  },
})

export const payoutRoutes = [
  listRequests,
  readBalances,
  createRequest,
  readEligibility,
  updateFrequency,
  readStatistics,
  listSystems,
]
