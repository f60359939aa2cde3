import { defineResource } from '../../world/define.ts'
import { fanRecordFactory } from './factories.ts'
import { fanRecordRoutes } from './routes.ts'

export const fanRecords = defineResource({
  name: 'fan-records',
  routes: fanRecordRoutes,
  factories: [fanRecordFactory],
})
