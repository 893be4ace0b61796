import { aMidtrans } from '#server-test/factories/providers.ts'
import { keepsProviderContract } from '#server-test/provider-contract/keeps-provider-contract.ts'

keepsProviderContract('midtrans', async (t) => {
  const { peer, bank, provider } = await aMidtrans(t)
  return { code: provider.code, bank, peer, outside: true, announced: true, asking: 'payments', moved: true }
})
