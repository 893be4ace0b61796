import crypto from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { CheckInList, Guest } from '#domain/events/check-in-endpoints.ts'
import { signedText } from '#domain/events/ticket.ts'
import { findGuests, guestsAtDoor, isGenuine, type LocalScan } from './local-door.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 1, minute)).toISOString()
const sari: Guest = {
  id: 'v1',
  name: 'Sari Wulandari',
  codeHash: 'abc',
  school: 'SMA Melati',
  sessionId: 'a',
  state: 'registered',
  walkIn: false,
  checkIns: [],
}
const scan = (minute: number, data: Partial<LocalScan>) => ({
  at: at(minute),
  data: { sessionId: 'a', kind: 'arrive' as const, visitorId: 'v1', ...data },
})

describe('guests with waiting scans', () => {
  const inSince = (guest: Guest, scans: ReturnType<typeof scan>[], sessionId = 'a') =>
    guestsAtDoor([guest], scans, sessionId, 'HP 1', 60_000)[0]!.inSince

  it("are in at once, on this device and at the server's time", () =>
    expect(inSince(sari, [scan(5, {})])).toEqual({ at: at(6), deviceName: 'HP 1' }))

  it('keep the earlier check-in of another device', () => {
    const arrived = { ...sari, checkIns: [{ sessionId: 'a', at: at(2), deviceName: 'HP 2' }] }
    expect(inSince(arrived, [scan(5, {})])).toEqual({ at: at(2), deviceName: 'HP 2' })
  })

  it('are out again after the check-in is undone, and never in for another session', () => {
    expect(inSince(sari, [scan(5, {}), scan(6, { kind: 'cancel' })])).toBeNull()
    expect(inSince(sari, [scan(5, {})], 'b')).toBeNull()
  })

  it('include walk-ins registered here offline', () => {
    const walkIn = {
      id: 'v9',
      name: 'Tamu Baru',
      phone: '',
      school: '',
      grade: null,
      consent: false,
      language: 'id' as const,
    }
    const { visitorId: _, ...data } = scan(5, { walkIn }).data
    const guests = guestsAtDoor([sari], [{ at: at(5), data }], 'a', 'HP 1', 0)
    expect(guests[1]).toMatchObject({ id: 'v9', name: 'Tamu Baru', walkIn: true, inSince: { at: at(5) } })
  })
})

it('guests are found by name, school and the hash of a typed code', () => {
  expect(findGuests([sari], 'wulan mel', null)).toEqual([sari])
  expect(findGuests([sari], 'ABCDE12345', 'abc')).toEqual([sari])
  expect(findGuests([sari], 'ABCDE12345', 'xyz')).toEqual([])
})

it('a ticket is genuine for its event and forged for another', async () => {
  const { privateKey, publicKey } = crypto.generateKeyPairSync('ed25519')
  const list = { eventId: 'e1', key: publicKey.export({ format: 'jwk' }).x! } as CheckInList
  const code = 'ABCDE12345'
  const tag = crypto.sign(null, Buffer.from(signedText('e1', code)), privateKey).toString('base64url')
  expect(await isGenuine(list, { code, tag })).toBe(true)
  expect(await isGenuine({ ...list, eventId: 'e2' }, { code, tag })).toBe(false)
  expect(await isGenuine(list, { code: 'ABCDE12346', tag })).toBe(false)
  expect(await isGenuine(list, { code, tag: null })).toBeNull()
})
