import { defineResource } from '../define.ts'
import { fanRecordRoutes } from './routes.ts'
import { seedFanNotes } from './seed.ts'

export const fanRecords = defineResource({
  name: 'fan-records',
  routes: fanRecordRoutes,
  seeds: [
    {
      name: 'fan notes',
      after: ['payments', 'mass messages', 'trial links'],
      account: seedFanNotes,
    },
  ],
})
