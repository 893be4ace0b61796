import { describe, expect, it } from 'vitest'
import type { BillView } from '#domain/payments/bills/endpoints.ts'
import { nextMayWait, paymentTone, unseenPayments } from './words.ts'

const payment = (values: object = {}) => ({
  id: 'a',
  status: 'allocated' as const,
  allocated: 300_000,
  waitingAmount: 0,
  waitingReason: null,
  seen: false,
  ...values,
})

describe('a payment', () => {
  it('counts as booked if only a part waits, and needs attention if all of it waits', () => {
    expect(paymentTone(payment({ status: 'waiting', allocated: 250_000, waitingAmount: 50_000 }))).toBe('done')
    expect(paymentTone(payment({ status: 'waiting', allocated: 0, waitingAmount: 300_000 }))).toBe('attention')
  })

  it.each([
    ['new and booked', {}, 1],
    ['seen before', { seen: true }, 0],
    ['taken back', { status: 'reversed', allocated: 0 }, 0],
    ['more than was asked', { status: 'waiting', waitingReason: 'overpaid' }, 1],
    ['after the bill was paid', { status: 'waiting', allocated: 0, waitingReason: 'bill_settled' }, 1],
    ['held for a fraud review', { status: 'waiting', allocated: 0, waitingReason: 'fraud_review' }, 0],
    ['said not to have arrived', { status: 'waiting', allocated: 0, waitingReason: 'reversed_by_bank' }, 0],
  ])('is announced as received: %s', (_, values, count) => {
    expect(unseenPayments([payment(values)] as never)).toHaveLength(count)
  })
})

describe('the next instalment', () => {
  const bill = (values: object = {}) =>
    ({
      paid: 2_000_000,
      overdue: false,
      takenBack: null,
      next: { installmentId: 'two', amount: 2_000_000, dueAt: null },
      installments: [
        { id: 'one', paid: 2_000_000 },
        { id: 'two', paid: 0 },
      ],
      ...values,
    }) as unknown as BillView
  it.each([
    ['is closed below what is paid', {}, true],
    ['stands first when nothing is paid', { paid: 0 }, false],
    ['stands first when it is overdue', { overdue: true }, false],
    ['stands first when a part of it is paid', { installments: [{ id: 'two', paid: 5 }] }, false],
    ['stands first when a payment was taken back', { takenBack: { amount: 1, reason: '-' } }, false],
    ['of a bill without instalments stands first', { next: { installmentId: null }, installments: [] }, false],
    ['of a paid bill is none', { next: null }, false],
  ])('%s', (_, values, mayWait) => expect(nextMayWait(bill(values))).toBe(mayWait))
})
