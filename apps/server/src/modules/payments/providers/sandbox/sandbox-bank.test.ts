import { afterAll, beforeAll } from 'vitest'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { keepsProviderContract } from '../provider-contract.ts'
import { sandboxBank, signedReport } from './sandbox-bank.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

keepsProviderContract('sandbox', {
  provider: () => sandboxBank(t.services)!,
  genuine: (payment) => signedReport(t.services.config.secretKey, payment, new Date()),
})
