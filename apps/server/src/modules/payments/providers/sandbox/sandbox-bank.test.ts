import { startSandbox } from '#server-test/peers/sandbox.ts'
import { keepsProviderContract } from '#server-test/provider-contract/keeps-provider-contract.ts'

keepsProviderContract('sandbox', async (t) => ({
  code: 'sandbox',
  bank: 'sandbox-b',
  peer: await startSandbox(t),
  outside: false,
  announced: false,
  asking: 'payments',
  moved: true,
}))
