import { expect, it } from 'vitest'
import { judgeScan } from './judge-scan.ts'

const here = { state: 'registered' as const, sessionId: 'a' }
const door = { kind: 'arrive' as const, sessionId: 'a', isIn: false, forced: false }

it.each([
  ['a visitor of this session', here, door, 'recorded'],
  ['somebody who is in', here, { ...door, isIn: true }, 'repeated'],
  ['somebody who waits for a place', { ...here, state: 'waiting' as const }, door, 'recorded'],
  ['a visitor of another session', { ...here, sessionId: 'b' }, door, 'other_session'],
  ['a visitor of another session who is let in', { ...here, sessionId: 'b' }, { ...door, forced: true }, 'recorded'],
  ['a visitor of another session who was let in', { ...here, sessionId: 'b' }, { ...door, isIn: true }, 'repeated'],
  ['a cancelled ticket', { ...here, state: 'cancelled' as const }, door, 'cancelled'],
  ['taking a check-in back', here, { ...door, kind: 'cancel' as const, isIn: true }, 'recorded'],
  ['nobody', undefined, door, 'unknown_ticket'],
])('%s', (_situation, visitor, circumstances, outcome) => expect(judgeScan(visitor, circumstances)).toBe(outcome))
