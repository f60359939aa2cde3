import { defineResource } from '../define.ts'
import { fanRecordRoutes } from './routes.ts'

export const fanRecords = defineResource({
  name: 'fan-records',
  routes: fanRecordRoutes,
})
