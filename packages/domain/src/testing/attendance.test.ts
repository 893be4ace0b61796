import { expect, it } from 'vitest'
import { cardCodeIn, minutesLate } from './attendance.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 1, minute))

it.each([
  ['in time', 0, 0],
  ['59 seconds after the start', 59, 0],
  ['twelve minutes after the start', 720, 12],
  ['before the start', -600, 0],
])('%s', (_situation, seconds, minutes) =>
  expect(minutesLate(new Date(at(0).getTime() + seconds * 1000), at(0))).toBe(minutes),
)

it.each([
  [
    'the address on a card',
    'https://pmb.example.test/verifikasi/26G100042-0123456789abcdef0123',
    '26G100042-0123456789abcdef0123',
  ],
  ['the address on a student card', 'https://x.test/verifikasi-mahasiswa/261001~1~00aa', '261001~1~00aa'],
  ['an encoded code', 'http://localhost:3000/verifikasi/26%2FG1-00aa', '26/G1-00aa'],
  ['the bare code', ' 26G100042-0123 ', '26G100042-0123'],
  ['another address', 'https://example.test/', 'https://example.test/'],
  ['a broken escape', 'https://x.test/verifikasi/%E0%A4%A', '%E0%A4%A'],
])('the code in %s', (_situation, text, code) => expect(cardCodeIn(text)).toBe(code))
