import { expect, it } from 'vitest'
import { shownCode, ticketIn, typedCode } from './ticket.ts'

const tag = 'A'.repeat(86)

it.each([
  ['the address in a QR code', `https://pmb.example.test/tiket/ABCDE12345?t=${tag}`, { code: 'ABCDE12345', tag }],
  ['the address without the tag', 'http://localhost:3000/tiket/abcde12345', { code: 'ABCDE12345', tag: null }],
  ['a typed code', ' abcde-12345 ', { code: 'ABCDE12345', tag: null }],
  ['letters taken for digits', 'abcde-l2o45', { code: 'ABCDE12045', tag: null }],
  ['another address', 'https://example.test/', null],
  ['a code that is too short', 'ABCDE', null],
  ['a letter that no code has', 'ABCDU12345', null],
])('the ticket in %s', (_situation, text, ticket) => expect(ticketIn(text)).toEqual(ticket))

it('a displayed code can be parsed again', () => expect(typedCode(shownCode('ABCDE12345'))).toBe('ABCDE12345'))
