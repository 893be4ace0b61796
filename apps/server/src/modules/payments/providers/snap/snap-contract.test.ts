import { aSnapBank } from '#server-test/factories/providers.ts'
import { keepsProviderContract } from '#server-test/provider-contract/keeps-provider-contract.ts'

for (const mode of ['biller', 'create'] as const)
  keepsProviderContract(`snap, ${mode}`, async (t) => {
    const { peer, bank, provider } = await aSnapBank(t, { mode })
    return {
      code: provider.code,
      bank,
      peer,
      outside: true,
      announced: mode === 'create',
      asking: 'payments',
      moved: false,
    }
  })
