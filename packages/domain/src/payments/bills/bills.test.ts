import { describe, expect, test } from 'vitest'
import { universityCalendar } from '#domain/calendar.ts'
import { fc } from '#testing/properties.ts'
import { billStatuses, billTransitions, isOverdue } from './bill-status.ts'
import { paymentStatuses, paymentTransitions } from './payment-status.ts'
import { splitInstallments } from './split-installments.ts'
import { virtualAccountStatuses, virtualAccountTransitions } from './virtual-account-status.ts'

const issuedAt = new Date('2026-11-20T03:00:00Z')
const share = (shareBps: number, dueDays: number) => ({ shareBps, amount: null, dueDate: null, dueDays })
const fixed = (amount: number, dueDate: string) => ({ shareBps: null, amount, dueDate, dueDays: null })
const amounts = (parts: { amount: number }[]) => parts.map((part) => part.amount)

describe('splitting a bill into instalments', () => {
  test('40, 30 and 30 percent', () => {
    const parts = splitInstallments(13_500_000, [share(4_000, 7), share(3_000, 60), share(3_000, 120)], { issuedAt })
    expect(amounts(parts)).toEqual([5_400_000, 4_050_000, 4_050_000])
    expect(parts[0]!.dueAt).toEqual(new Date('2026-11-27T23:59:00+07:00'))
  })
  test('the last part takes the remainder', () => {
    const thirds = [share(3_334, 0), share(3_333, 30), share(3_333, 60)]
    expect(amounts(splitInstallments(100, thirds, { issuedAt }))).toEqual([33, 33, 34])
  })
  test('subtracts fixed amounts before the shares', () => {
    const terms = [fixed(1_000_000, '2026-12-01'), share(5_000, 60), share(5_000, 90)]
    expect(amounts(splitInstallments(4_000_000, terms, { issuedAt }))).toEqual([1_000_000, 1_500_000, 1_500_000])
  })
  test('limits a fixed amount to the total', () => {
    expect(amounts(splitInstallments(700, [fixed(1_000, '2026-12-01'), share(10_000, 60)], { issuedAt }))).toEqual([
      700,
    ])
  })
  test('adds what must not be divided to the first part', () => {
    const parts = splitInstallments(1_000_000, [share(5_000, 0), share(5_000, 30)], { issuedAt, upfront: 400_000 })
    expect(amounts(parts)).toEqual([700_000, 300_000])
  })
  test('due dates never go backwards', () => {
    const parts = splitInstallments(200, [fixed(100, '2027-01-10'), share(10_000, 7)], { issuedAt })
    expect(parts[1]!.dueAt).toEqual(parts[0]!.dueAt)
  })
  test("a day ends at 23.59 by the university's clock, not the server's", () => {
    const { endOfDay, endOfDayAfter } = universityCalendar()
    expect(endOfDayAfter(new Date('2026-11-20T20:00:00Z'), 0)).toEqual(endOfDay('2026-11-21'))
  })
  test('splits zero into nothing', () => {
    expect(splitInstallments(0, [share(10_000, 0)], { issuedAt })).toEqual([])
  })

  const terms = fc.array(
    fc.oneof(
      fc.record({
        shareBps: fc.integer({ min: 1, max: 10_000 }),
        amount: fc.constant(null),
        dueDate: fc.constant(null),
        dueDays: fc.integer({ min: 0, max: 3650 }),
      }),
      fc.record({
        shareBps: fc.constant(null),
        amount: fc.integer({ min: 1, max: 50_000_000 }),
        dueDate: fc.constantFrom('2026-12-01', '2027-03-31', '2026-01-01'),
        dueDays: fc.constant(null),
      }),
    ),
    { maxLength: 12 },
  )
  test('parts always add up to the total, in whole rupiah, in order', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9e14 }),
        terms,
        fc.integer({ min: 0, max: 1e9 }),
        (total, plan, upfront) => {
          const parts = splitInstallments(total, plan, { issuedAt, upfront })
          expect(parts.reduce((sum, part) => sum + part.amount, 0)).toBe(total)
          for (const [index, part] of parts.entries()) {
            expect(Number.isSafeInteger(part.amount) && part.amount > 0).toBe(true)
            expect(part.position).toBe(index + 1)
            if (index > 0) expect(part.dueAt >= parts[index - 1]!.dueAt).toBe(true)
          }
        },
      ),
    )
  })
})

describe('status tables', () => {
  const reached = (start: string, table: Record<string, { from: readonly string[]; to: string }>) => {
    const seen = new Set([start])
    for (let size = 0; size !== seen.size; ) {
      size = seen.size
      for (const { from, to } of Object.values(table)) if (from.some((status) => seen.has(status))) seen.add(to)
    }
    return [...seen].sort()
  }
  test('every status can be reached', () => {
    expect(reached('open', billTransitions)).toEqual([...billStatuses].sort())
    expect(reached('pending', virtualAccountTransitions)).toEqual([...virtualAccountStatuses].sort())
    expect(reached('received', paymentTransitions)).toEqual([...paymentStatuses].sort())
  })
  test('a closed number is never reopened', () => {
    const opening = Object.values(virtualAccountTransitions).filter((step) => step.to === 'active')
    expect(opening.map(({ from }) => from)).toEqual([['pending']])
  })
  test('overdue is derived', () => {
    const now = new Date('2026-11-20T00:00:00Z')
    expect(isOverdue({ status: 'open', dueAt: '2026-11-19T00:00:00Z' }, now)).toBe(true)
    expect(isOverdue({ status: 'paid', dueAt: '2026-11-19T00:00:00Z' }, now)).toBe(false)
    expect(isOverdue({ status: 'open', dueAt: null }, now)).toBe(false)
  })
})
