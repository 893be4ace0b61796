import { describe, expect, test } from 'vitest'
import { virtualAccountMaximum } from '#domain/payments/providers/virtual-account-number.ts'
import { findProvider } from '#server/modules/payments/providers/index.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { contractOfAmountsAboveMaximum } from './amounts-above-maximum.ts'
import { contractOfFloods } from './floods.ts'
import { contractOfInvalidReports } from './invalid-reports.ts'
import { contractOfMissingReports } from './missing-reports.ts'
import { contractOfNumbers } from './numbers.ts'
import { contractOfOddText } from './odd-text.ts'
import { contractOfPayments } from './payments.ts'
import { contractOfPaymentsTakenBack } from './payments-taken-back.ts'
import { contractOfTroubles } from './troubles.ts'
import { contractWorld, type Subject } from './world.ts'

/** Tests every bank or gateway must pass, over real HTTP and on a real database. */
export function keepsProviderContract(name: string, setUp: (t: TestApp) => Promise<Subject>) {
  describe(`provider ${name}`, () => {
    const world = contractWorld(setUp)

    test('has a code, banks and prefixes that cannot be mixed up', async () => {
      const { code, banks } = (await findProvider(world.t.services, world.subject.code))!
      expect(code).toMatch(/^[a-z][a-z0-9-]{1,19}$/)
      expect(new Set(banks.map((bank) => bank.code)).size).toBe(banks.length)
      for (const bank of banks) {
        expect(bank.code.length).toBeLessThanOrEqual(20)
        if (bank.prefix === null) continue
        expect(bank.prefix).toMatch(/^\d+$/)
        expect(bank.prefix.length + bank.digits).toBeLessThanOrEqual(virtualAccountMaximum)
        for (const otherBank of banks)
          if (otherBank !== bank) expect(otherBank.prefix?.startsWith(bank.prefix)).not.toBe(true)
      }
    })

    contractOfNumbers(world)
    contractOfPayments(world)
    contractOfInvalidReports(world)
    contractOfAmountsAboveMaximum(world)
    contractOfOddText(world)
    contractOfFloods(world)
    contractOfPaymentsTakenBack(world)
    contractOfMissingReports(world)
    contractOfTroubles(world)
  })
}
