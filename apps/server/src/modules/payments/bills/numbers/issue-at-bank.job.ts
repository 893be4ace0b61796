import { defineJob } from '#server/platform/jobs.ts'
import { issueAtBank, issueAtBankQueue } from './issue-at-bank.ts'

/** Asks the bank again for a number it did not issue at once. */
export const issueAtBankJob = defineJob({
  ...issueAtBankQueue,
  maxAttempts: 1,
  concurrency: 4,
  run: (services, { virtualAccountId }) => issueAtBank(services, virtualAccountId),
})
