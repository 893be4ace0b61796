import { describe, expect, it, vi } from 'vitest'
import type { ChatMessage } from '#domain/chat/endpoints.ts'

vi.stubGlobal('addEventListener', () => {})
const { ApiError } = await import('#web/api/client.ts')
const { deliver, isWorthRetrying, refusalOf } = await import('./outbox.ts')

const refused = (status: number, code: string) => new ApiError(status, code, '')

describe('a message on its way', () => {
  it.each([
    [0, 'offline'],
    [401, 'unauthenticated'],
    [429, 'too_many_requests'],
    [503, 'unavailable'],
    [500, 'internal'],
  ])('is sent again after %i %s', (status, code) => {
    expect(isWorthRetrying(refused(status, code))).toBe(true)
  })

  it.each([
    [409, 'chat_answered_meanwhile'],
    [409, 'chat_window_closed'],
    [422, 'invalid_input'],
    [404, 'not_found'],
    [403, 'forbidden'],
  ])('is given back to its writer after %i %s', (status, code) => {
    expect(isWorthRetrying(refused(status, code))).toBe(false)
  })

  it('is refused with the sentence about its file, which says more than the one about the whole form', () => {
    const error = new ApiError(422, 'invalid_input', 'Some fields need attention.', { file: ['This is not a PDF.'] })
    expect(refusalOf(error)).toEqual({ code: 'invalid_input', message: 'This is not a PDF.' })
    expect(refusalOf(new ApiError(403, 'forbidden', 'Not allowed.')).message).toBe('Not allowed.')
  })

  it('is sent under a new key where the key of another message was in the way', async () => {
    const answers = [
      () => Promise.reject(refused(409, 'idempotency_mismatch')),
      () => Promise.resolve({ seq: 4 } as ChatMessage),
    ]
    const send = vi.fn(() => answers.shift()!())
    expect(await deliver({ id: 'a' }, send)).toEqual({ seq: 4 })
    expect(send).toHaveBeenCalledTimes(2)
  })

  it('is not sent twice after another refusal', async () => {
    const send = vi.fn(() => Promise.reject(refused(409, 'chat_answered_meanwhile')))
    await expect(deliver({ id: 'a' }, send)).rejects.toMatchObject({ code: 'chat_answered_meanwhile' })
    expect(send).toHaveBeenCalledTimes(1)
  })
})
