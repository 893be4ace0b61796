import { aXendit } from '#server-test/factories/providers.ts'
import { keepsProviderContract } from '#server-test/provider-contract/keeps-provider-contract.ts'

keepsProviderContract('xendit', async (t) => {
  const { peer, bank, provider } = await aXendit(t)
  return { code: provider.code, bank, peer, outside: true, announced: true, asking: 'hint', moved: true }
})
