import { expect, test } from 'vitest'
import { recipientStates } from '#domain/campaigns/campaigns.ts'
import { progressOf } from './progress.ts'

test('failed, uncertain and waiting messages do not count as sent, and skipped people do not count at all', () => {
  const counts = recipientStates.map((state) => ({
    state,
    reason: state === 'skipped' ? 'opted_out' : null,
    people: 1,
  }))
  expect(progressOf(counts)).toEqual({ sent: 4, all: 7 })
  expect(progressOf([{ state: 'failed', reason: 'bounced', people: 100 }])).toEqual({ sent: 0, all: 100 })
})

test('people whom a cancelled or continued campaign no longer reached count as not sent to', () => {
  const counts = [
    { state: 'accepted', reason: null, people: 16 },
    { state: 'skipped', reason: 'cancelled', people: 60 },
    { state: 'skipped', reason: 'continued', people: 4 },
    { state: 'skipped', reason: 'no_address', people: 9 },
  ] as const
  expect(progressOf(counts)).toEqual({ sent: 16, all: 80 })
})
