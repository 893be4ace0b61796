import { describe, expect, test } from 'vitest'
import { isPromiseOpen, promiseState } from '#domain/payments/bills/promise.ts'
import { missingForShare, type NumberRule, unlockOfNumber } from './unlock-rule.ts'

const now = new Date('2026-11-20T03:00:00Z')
const later = new Date('2026-12-01T16:59:00Z')
const earlier = new Date('2026-11-01T16:59:00Z')
const open = { status: 'open' as const, total: 4_000_000, paid: 0, promisedUntil: null as Date | null }
const rule: NumberRule = { enrolmentUnlock: 'first-instalment', enrolmentUnlockShare: 50, promiseUnlocks: false }

describe('a share of a bill', () => {
  test.each([
    ['nothing paid', { ...open }, 25, 1_000_000],
    ['a part', { ...open, status: 'partly_paid' as const, paid: 999_999 }, 25, 1],
    ['just enough', { ...open, status: 'partly_paid' as const, paid: 1_000_000 }, 25, 0],
    ['a share of no whole rupiah is rounded up', { ...open, total: 1_000_001 }, 50, 500_001],
    ['nothing of it is asked', { ...open }, 0, 0],
    ['all of it', { ...open, status: 'partly_paid' as const, paid: 3_999_999 }, 100, 1],
    ['waived', { ...open, status: 'waived' as const }, 100, 0],
    ['guaranteed', { ...open, status: 'guaranteed' as const }, 100, 0],
  ])('%s', (_what, bill, share, missing) => expect(missingForShare(bill, share)).toBe(missing))
})

describe('a student number', () => {
  const first = { amount: 1_500_000, paid: 500_000 }
  const reach = (changes: Partial<NumberRule>, bill = open) => unlockOfNumber({ ...rule, ...changes }, bill, first, now)

  test('waits for nothing, the first instalment or a share', () => {
    expect(reach({ enrolmentUnlock: 'none' })).toEqual({
      missing: 0,
      unlock: { unlockRule: 'none', unlockShare: null },
    })
    expect(reach({}).missing).toBe(1_000_000)
    expect(reach({ enrolmentUnlock: 'share' })).toEqual({
      missing: 2_000_000,
      unlock: { unlockRule: 'share', unlockShare: 50 },
    })
  })

  test('treats a bill without instalments as its own first instalment', () => {
    expect(unlockOfNumber(rule, open, null, now).missing).toBe(4_000_000)
  })

  test('is unlocked by a promise only if the setting says so, while the promise runs and money is missing', () => {
    const promised = { ...open, promisedUntil: later }
    expect(reach({}, promised).missing).toBe(1_000_000)
    expect(reach({ promiseUnlocks: true }, promised)).toEqual({
      missing: 0,
      unlock: { unlockRule: 'promise', unlockShare: null },
    })
    expect(reach({ promiseUnlocks: true }, { ...open, promisedUntil: earlier }).missing).toBe(1_000_000)
    expect(reach({ promiseUnlocks: true, enrolmentUnlock: 'none' }, promised).unlock.unlockRule).toBe('none')
  })
})

describe('a promise', () => {
  test.each([
    ['none was made', 'open', null, null, null],
    ['it runs', 'partly_paid', later, null, 'open'],
    ['its day passed with money open', 'open', earlier, null, 'broken'],
    ['it was paid before', 'paid', earlier, new Date('2026-10-30T03:00:00Z'), 'kept'],
    ['money came later', 'paid', earlier, new Date('2026-11-05T03:00:00Z'), 'broken'],
    ['nothing is asked any more', 'guaranteed', earlier, null, 'kept'],
    ['the bill was cancelled', 'cancelled', later, null, null],
  ] as const)('%s', (_what, status, promisedUntil, paidAt, state) =>
    expect(promiseState({ status, promisedUntil, paidAt }, now)).toBe(state),
  )

  test('stays open to the minute', () => {
    expect(isPromiseOpen({ status: 'open', promisedUntil: now }, now)).toBe(true)
    expect(isPromiseOpen({ status: 'open', promisedUntil: new Date(now.getTime() - 1) }, now)).toBe(false)
  })
})
