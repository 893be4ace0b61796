import { expect, test } from 'vitest'
import { recipientStates } from '#domain/campaigns/campaigns.ts'
import { progressOf } from './progress.ts'

test('failed, uncertain and waiting messages do not count as sent, and skipped people do not count at all', () => {
  const counts = recipientStates.map((state) => ({ state, people: 1 }))
  expect(progressOf(counts)).toEqual({ sent: 4, all: 7 })
  expect(progressOf([{ state: 'failed', people: 100 }])).toEqual({ sent: 0, all: 100 })
})
