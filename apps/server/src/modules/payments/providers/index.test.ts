import { expect, test } from 'vitest'
import { testApp } from '#server-test/test-app.ts'
import { allBanks, forgetProviders } from './index.ts'

test('as many transactions as the pool has connections can read the banks at once without waiting for each other', async () => {
  const t = await testApp({ config: { databasePool: 3 } })
  forgetProviders(t.services)
  let loadCount = 0
  const everybody = Promise.withResolvers<void>()
  const ask = () =>
    t.db.transaction().execute(async (tx) => {
      await tx.selectFrom('roles').select('id').execute()
      if (++loadCount === 3) everybody.resolve()
      await everybody.promise
      return (await allBanks(t.services, tx)).length
    })
  const began = performance.now()
  const found = await Promise.all([ask(), ask(), ask()])
  expect(new Set(found).size).toBe(1)
  expect(performance.now() - began).toBeLessThan(5_000)
  await t.close()
})
