import { describe, expect, test } from 'vitest'
import { fc } from '#testing/properties.ts'
import { allocate, paidPerLine } from './allocate.ts'

describe('allocating money', () => {
  test('by priority, then by due date', () => {
    const targets = [
      { id: 'later', remaining: 100, dueAt: '2026-12-02' },
      { id: 'sooner', remaining: 100, dueAt: '2026-12-01' },
      { id: 'first', remaining: 50, priority: 1, dueAt: '2027-01-01' },
    ]
    expect(allocate(170, targets)).toEqual({
      parts: [
        { id: 'first', amount: 50 },
        { id: 'sooner', amount: 100 },
        { id: 'later', amount: 20 },
      ],
      left: 0,
    })
  })
  test('loses nothing and gives nobody too much', () => {
    const targets = fc.array(
      fc.record({
        remaining: fc.integer({ min: -10, max: 1e9 }),
        priority: fc.integer({ min: 1, max: 5 }),
        dueAt: fc.constantFrom(null, '2026-12-01', '2027-01-01'),
      }),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e10 }), targets, (amount, targetList) => {
        const named = targetList.map((target, index) => ({ ...target, id: String(index) }))
        const { parts, left } = allocate(amount, named)
        expect(parts.reduce((sum, part) => sum + part.amount, 0) + left).toBe(amount)
        for (const part of parts) {
          const target = named.find((row) => row.id === part.id)!
          expect(part.amount > 0 && part.amount <= target.remaining).toBe(true)
          // Less urgent targets get nothing while this one is still owed money.
          if (part.amount < target.remaining)
            for (const other of parts) expect(named[Number(other.id)]!.priority <= target.priority).toBe(true)
        }
        if (left > 0) expect(parts.length).toBe(named.filter((target) => target.remaining > 0).length)
      }),
    )
  })
  test('a discount reduces its own component', () => {
    const paid = paidPerLine(70, [
      { id: 'a', amount: 100, componentId: 'x', priority: 1 },
      { id: 'b', amount: 50, componentId: 'y', priority: 2 },
      { id: 'd', amount: -40, componentId: 'x', priority: 1 },
    ])
    expect([...paid]).toEqual([
      ['a', 60],
      ['b', 10],
    ])
  })
})
