import crypto from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Participant } from '#domain/testing/attendance-endpoints.ts'
import { hashOfCode } from '#web/modules/door/hash-of-code.ts'
import { findParticipants, type LocalScan, withWaitingScans } from './local-attendance.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 1, minute)).toISOString()
const sari: Participant = {
  seatId: 's1',
  registrationId: 'r1',
  code: '26G100042',
  name: 'Sari Wulandari',
  cardHash: '',
  status: 'booked',
  arrivedAt: null,
  arrivedOn: null,
  leftAt: null,
  forcedReason: null,
}
const budi = { ...sari, seatId: 's2', registrationId: 'r2', code: '26G100043', name: 'Budi Santoso' }
const scan = (minute: number, data: Partial<LocalScan>) => ({
  at: at(minute),
  data: { kind: 'arrive' as const, registrationId: 'r1', ...data },
})

describe('the list with waiting scans', () => {
  it('shows an arrival at once, on this device and in server time', () =>
    expect(withWaitingScans([sari, budi], [scan(5, {})], 'HP 1', 60_000)).toEqual([
      { ...sari, status: 'attended', arrivedAt: at(6), arrivedOn: 'HP 1' },
      budi,
    ]))

  it('keeps the earlier arrival from another device', () => {
    const arrived = { ...sari, status: 'attended' as const, arrivedAt: at(2), arrivedOn: 'HP 2' }
    expect(withWaitingScans([arrived], [scan(5, {})], 'HP 1', 0)).toEqual([arrived])
  })

  it('can revoke a mark, and mark an absence, which an arrival outweighs', () => {
    const absent = { ...sari, status: 'absent' as const }
    expect(withWaitingScans([absent], [scan(5, { kind: 'cancel' })], 'HP 1', 0)[0]!.status).toBe('booked')
    expect(withWaitingScans([absent], [scan(5, {})], 'HP 1', 0)[0]!.status).toBe('attended')
    expect(withWaitingScans([sari], [scan(5, { kind: 'absent' })], 'HP 1', 0)[0]!.status).toBe('absent')
  })
})

it('a card is recognised by the hash of its code', async () =>
  expect(await hashOfCode('26G100042-ab')).toBe(crypto.createHash('sha256').update('26G100042-ab').digest('hex')))

it('people are found by parts of the name and by the code', () => {
  expect(findParticipants([sari, budi], 'wulan sari')).toEqual([sari])
  expect(findParticipants([sari, budi], '00043')).toEqual([budi])
  expect(findParticipants([sari, budi], '')).toHaveLength(2)
})
