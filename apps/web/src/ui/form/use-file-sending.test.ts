import { describe, expect, test } from 'vitest'
import { isWorthSendingAgain } from './use-file-sending.ts'

const failure = (status: number) => Object.assign(new Error('Not received'), { status })

describe('after a file was not received', () => {
  test.each([400, 413, 415, 422])('the same file is not offered again when the server refused it with %i', (status) => {
    expect(isWorthSendingAgain(failure(status))).toBe(false)
  })

  test.each([0, 401, 408, 409, 429, 500, 503])('it is offered again after status %i', (status) => {
    expect(isWorthSendingAgain(failure(status))).toBe(true)
  })

  test('it is offered again after an error without a status', () => {
    expect(isWorthSendingAgain(new Error('Not received'))).toBe(true)
    expect(isWorthSendingAgain(undefined)).toBe(true)
  })
})
