import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import { expireVirtualAccounts } from './virtual-accounts.ts'

export const expireVirtualAccountsJob = defineJob({
  name: 'expire-virtual-accounts',
  schedule: '*/5 * * * *',
  data: z.object({}),
  run: (services) => expireVirtualAccounts(services),
})
