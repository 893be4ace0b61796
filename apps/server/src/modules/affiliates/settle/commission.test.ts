import { describe, expect, test } from 'vitest'
import { runs } from '#testing/form.ts'
import { fc } from '#testing/properties.ts'
import {
  type CommissionFacts,
  type Entry,
  earnedBy,
  keptOf,
  missingEntries,
  payableOf,
  type Rule,
  ruleAt,
  taxOf,
} from './commission.ts'

const rule = (change: Partial<Rule> = {}): Rule => ({
  id: 'r',
  stage: 'paid',
  amount: 100_000,
  shareBps: null,
  onClose: 'refunds',
  ...change,
})

/** A ledger like the database's: append-only, one entry per cause, step and kind. */
class Ledger {
  readonly entries: Entry[] = []
  settle(facts: CommissionFacts) {
    const missing = missingEntries(facts, this.entries)
    for (const entry of missing) {
      const key = ({ cause, causeId, stage, kind }: Pick<Entry, 'cause' | 'causeId' | 'stage' | 'kind'>) =>
        [cause, causeId, stage, kind].join()
      expect(this.entries.map(key)).not.toContain(key(entry))
      this.entries.push({ ...entry, id: `e${this.entries.length}` })
    }
    expect(missingEntries(facts, this.entries)).toEqual([])
    return missing
  }
  get sum() {
    return this.entries.reduce((total, { amount }) => total + amount, 0)
  }
}

const paidFacts = (change: Partial<CommissionFacts> & { money?: number; stepId?: string | null; of?: Rule } = {}) => {
  const { money = 250_000, stepId = '1', of = rule(), ...rest } = change
  const facts: CommissionFacts = {
    stages: [{ stage: 'paid', stepId, rule: of, paid: 250_000, money }],
    closed: false,
    refused: false,
    loss: null,
    ...rest,
  }
  return facts
}

describe('commission', () => {
  test('is an amount, or a share of the money paid, in whole rupiah', () => {
    expect(earnedBy(rule(), 0)).toBe(100_000)
    expect(earnedBy(rule({ amount: null, shareBps: 250 }), 333_333)).toBe(8_333)
    expect(earnedBy(rule({ amount: null }), 333_333)).toBe(0)
    expect(taxOf(100_001, 250)).toBe(2_500)
    // Something remains to be transferred, even of one rupiah.
    expect([1, 2, 3].map((amount) => taxOf(amount, 5_000))).toEqual([0, 1, 2])
  })

  test('is earned once, however often it is computed', () => {
    const ledger = new Ledger()
    expect(ledger.settle(paidFacts())).toMatchObject([{ kind: 'earned', amount: 100_000, cause: 'step', causeId: '1' }])
    expect(ledger.settle(paidFacts())).toEqual([])
  })

  test('is taken back by the share of money refunded, once per refund', () => {
    const ledger = new Ledger()
    ledger.settle(paidFacts())
    const half = paidFacts({ money: 125_000, closed: true, loss: { cause: 'refund', causeId: 'a' } })
    expect(ledger.settle(half)).toMatchObject([{ kind: 'clawback', amount: -50_000, cause: 'refund', causeId: 'a' }])
    expect(ledger.settle(half)).toEqual([])
    expect(ledger.settle(paidFacts({ money: 0, loss: { cause: 'refund', causeId: 'b' } }))).toMatchObject([
      { kind: 'clawback', amount: -50_000 },
    ])
  })

  test('is taken back fully when the registration is closed, if the rule says so, and returns with it', () => {
    const of = rule({ onClose: 'all' })
    const ledger = new Ledger()
    ledger.settle(paidFacts({ of }))
    const closed = paidFacts({ of, closed: true, loss: { cause: 'step', causeId: '2' } })
    expect(ledger.settle(closed)).toMatchObject([{ kind: 'clawback', amount: -100_000 }])
    expect(ledger.settle(paidFacts({ of, loss: { cause: 'step', causeId: '2' } }))).toMatchObject([
      { kind: 'adjustment', amount: 100_000, cause: 'step', causeId: '2' },
    ])
  })

  test('for a student number withdrawn and issued again is earned by the new step', () => {
    const ledger = new Ledger()
    ledger.settle(paidFacts())
    expect(ledger.settle(paidFacts({ stepId: null }))).toMatchObject([{ kind: 'clawback', cause: 'entry' }])
    expect(ledger.settle(paidFacts({ stepId: '9' }))).toMatchObject([{ kind: 'earned', causeId: '9' }])
    expect(ledger.sum).toBe(100_000)
  })

  test('refused by staff after an alarm is taken back, whatever is paid later', () => {
    const ledger = new Ledger()
    ledger.settle(paidFacts())
    ledger.settle(paidFacts({ refused: true, loss: { cause: 'hold', causeId: 'h' } }))
    expect(ledger.sum).toBe(0)
    expect(new Ledger().settle(paidFacts({ refused: true }))).toEqual([])
  })

  test('a payout never takes more than the balance, and a negative balance is carried over', () => {
    expect(payableOf({ balance: 100, held: 30, frozen: 20 })).toBe(50)
    expect(payableOf({ balance: -100, held: 0, frozen: 0 })).toBe(0)
  })

  test("from its approval on, an affiliate's own rule outranks the rule of its kind", () => {
    const rules = [
      { own: false, version: 1, approvedAt: new Date(1) },
      { own: true, version: 1, approvedAt: new Date(5) },
      { own: true, version: 2, approvedAt: new Date(9) },
    ]
    expect(ruleAt(rules, new Date(0))).toBeUndefined()
    expect(ruleAt(rules, new Date(4))).toBe(rules[0])
    expect(ruleAt(rules, new Date(7))).toBe(rules[1])
    expect(ruleAt(rules, new Date(9))).toBe(rules[2])
  })
})

type Move =
  | { do: 'refund' | 'reverse' | 'pay'; part: number }
  | { do: 'close' | 'reopen' | 'undo' | 'again' | 'refuse' | 'payOut' | 'twice' }
const part = fc.nat(250_000)
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ do: fc.constantFrom('refund' as const, 'reverse' as const, 'pay' as const), part }),
  fc.record({
    do: fc.constantFrom('close', 'reopen', 'undo', 'again', 'payOut', 'payOut', 'twice', 'refuse'),
  }) as fc.Arbitrary<Move>,
)

test('whatever the order of paying, refunding, reversing, closing and paying out, the balance is what the rules give', () => {
  fc.assert(
    fc.property(
      fc.array(move, { maxLength: 40 }),
      fc.record({ share: fc.option(fc.integer({ min: 1, max: 10_000 })), all: fc.boolean(), late: fc.boolean() }),
      (moves, { share, all, late }) => {
        const of = rule({ ...(share && { amount: null, shareBps: share }), onClose: all ? 'all' : 'refunds' })
        const ledger = new Ledger()
        const facts = { money: 250_000, stepId: '1' as string | null, closed: false, refused: false }
        let loss: CommissionFacts['loss'] = null
        let paidOut = 0
        const current = () => paidFacts({ ...facts, of, loss })
        const before: number[] = []
        for (const [index, step] of moves.entries()) {
          const causeId = String(index)
          if (step.do === 'refund') facts.money = Math.max(facts.money - step.part, 0)
          if (step.do === 'reverse') facts.money = 0
          if (step.do === 'pay') facts.money = Math.min(facts.money + step.part, 250_000)
          if (step.do === 'close') facts.closed = true
          if (step.do === 'reopen') facts.closed = false
          if (step.do === 'undo') facts.stepId = null
          if (step.do === 'again') facts.stepId ??= `s${index}`
          if (step.do === 'refuse') facts.refused = true
          if (step.do === 'refund') loss = { cause: 'refund', causeId }
          if (step.do === 'reverse') loss = { cause: 'payment', causeId }
          if (step.do === 'close') loss = { cause: 'step', causeId }
          // Computed after every move or only now and then, the outcome must be the same.
          if (!late || index % 3 === 0) ledger.settle(current())
          if (step.do === 'payOut') {
            const amount = payableOf({ balance: ledger.sum - paidOut, held: 0, frozen: 0 })
            paidOut += amount
            expect(amount).toBeGreaterThanOrEqual(0)
          }
          const written = ledger.entries.map(({ amount }) => amount)
          expect(written.slice(0, before.length)).toEqual(before)
          before.splice(0, before.length, ...written)
        }
        ledger.settle(current())
        const stands = facts.stepId !== null && !facts.refused && !(facts.closed && all)
        const expected = stands ? keptOf(earnedBy(of, 250_000), facts.money, 250_000) : 0
        expect(ledger.sum).toBe(expected)
        // Commission paid out and taken back later is carried over as a negative balance.
        const balance = ledger.sum - paidOut
        expect(payableOf({ balance, held: 0, frozen: 0 })).toBe(Math.max(expected - paidOut, 0))
      },
    ),
    { numRuns: runs(200) },
  )
})
