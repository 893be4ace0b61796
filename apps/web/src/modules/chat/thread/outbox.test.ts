import { describe, expect, it, vi } from 'vitest'
import type { ChatMessage } from '#domain/chat/endpoints.ts'
import type { QueuedItem } from '#web/offline/queue.ts'

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
    [409, 'still_working'],
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

  it('is refused with the sentence about its file, which is more specific than the one for the whole form', () => {
    const error = new ApiError(422, 'invalid_input', 'Some fields need attention.', { file: ['This is not a PDF.'] })
    expect(refusalOf(error)).toEqual({ code: 'invalid_input', message: 'This is not a PDF.' })
    expect(refusalOf(new ApiError(403, 'forbidden', 'Not allowed.')).message).toBe('Not allowed.')
  })

  it('is sent under a new key if another message used the key', async () => {
    const answers = [
      () => Promise.reject(refused(422, 'idempotency_mismatch')),
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

describe('the box', () => {
  const conversation = '0198c0de-0000-7000-8000-000000000001'
  const other = '0198c0de-0000-7000-8000-000000000002'
  const text = (conversationId: string, body: string) => ({ kind: 'text' as const, conversationId, body })

  async function aBox(options: { canStore: boolean }) {
    vi.resetModules()
    const stored: QueuedItem<unknown>[] = []
    const put = async (items: readonly QueuedItem<unknown>[]) => {
      for (const item of items) stored[stored.findIndex(({ id }) => id === item.id)] = item
    }
    const refuse = () => Promise.reject(new Error('The disk is full'))
    const send = vi.fn(
      (_: unknown, { body }: { body: { body: string } }): Promise<unknown> =>
        Promise.resolve({ data: { seq: 1, body: body.body } }),
    )
    vi.doMock('#web/api/send.ts', () => ({ sendOnce: send }))
    const session: { user: { id: string } | undefined } = { user: { id: 'staff' } }
    vi.doMock('#web/shell/session/session-store.ts', () => ({ currentSession: () => session }))
    const notes = new Map<string, boolean>()
    const noteUnsent = (owner: string, isWaiting: boolean) => notes.set(owner, isWaiting)
    vi.doMock('#web/modules/chat/ask-store.ts', () => ({ noteUnsent }))
    vi.doMock('#web/offline/queue.ts', () => ({
      addToQueue: options.canStore ? async (item: QueuedItem<unknown>) => void stored.push(item) : refuse,
      putInQueue: options.canStore ? put : refuse,
      queuedItems: options.canStore ? async (owner: string) => stored.filter((item) => item.owner === owner) : refuse,
      removeFromQueue: async (ids: readonly string[]) => {
        for (const id of ids)
          stored.splice(
            stored.findIndex((item) => item.id === id),
            1,
          )
      },
    }))
    const { ApiError: ApiErrorOfBox } = await import('#web/api/client.ts')
    const fail = (status: number, code: string) => Promise.reject(new ApiErrorOfBox(status, code, 'Why'))
    return { send, stored, fail, session, notes, ...(await import('./outbox.ts')) }
  }
  const bodiesOf = (send: { mock: { calls: unknown[][] } }) =>
    send.mock.calls.map((call) => (call[1] as { body: { body: string } }).body.body)

  it('sends a message that the device cannot store, and keeps it on the screen if sending fails', async () => {
    const { send, fail, post, current } = await aBox({ canStore: false })
    await post(text(conversation, 'Halo'))
    expect(bodiesOf(send)).toEqual(['Halo'])
    expect(current().items).toEqual([])
    send.mockImplementationOnce(() => fail(0, 'offline'))
    await post(text(conversation, 'Tanpa jaringan'))
    expect(current()).toMatchObject({ items: [{ data: { body: 'Tanpa jaringan', refusal: { message: 'Why' } } }] })
  })

  it('lets a stuck message delay only its own conversation', async () => {
    const { send, stored, fail, post, current } = await aBox({ canStore: true })
    send.mockImplementation((_, { body }) =>
      body.body === 'Tersangkut' ? fail(500, 'internal') : Promise.resolve({ data: { seq: 1 } }),
    )
    for (const data of [text(conversation, 'Tersangkut'), text(conversation, 'Sesudahnya'), text(other, 'Lain')])
      await post(data)
    await vi.waitFor(() => expect(bodiesOf(send)).toContain('Lain'), 10_000)
    await vi.waitFor(() => expect(stored).toHaveLength(2), 10_000)
    expect(bodiesOf(send)).not.toContain('Sesudahnya')
    expect(current().items.map(({ data }) => data.kind === 'text' && data.body)).toEqual(['Tersangkut', 'Sesudahnya'])
  })

  it('sends a refused answer again with the number of the last message its writer has seen since', async () => {
    const { send, fail, post, retry, current } = await aBox({ canStore: true })
    send.mockImplementationOnce(() => fail(409, 'chat_answered_meanwhile'))
    await post({ ...text(conversation, 'Templat'), templateId: other, seenSeq: 3 })
    await vi.waitFor(() => expect(current().items[0]?.data.refusal).toBeDefined(), 10_000)
    await retry(current().items[0]!, 5)
    await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(2), 10_000)
    expect(send.mock.calls[1]![1]).toMatchObject({ body: { seenSeq: 5, templateId: other } })
  })
  /** Returns a server response that stays pending until `release` is called. */
  function aSlowAnswer() {
    let release = () => {}
    const answer = new Promise<unknown>((resolve) => {
      release = () => resolve({ data: { seq: 1 } })
    })
    return { answer, release }
  }

  it('leaves waiting messages to their writer when another account signs in meanwhile', async () => {
    const { send, stored, session, post } = await aBox({ canStore: true })
    const first = aSlowAnswer()
    send.mockImplementationOnce(() => first.answer)
    await post(text(conversation, 'Pertama'))
    await post(text(conversation, 'Kedua'))
    await vi.waitFor(() => expect(bodiesOf(send)).toEqual(['Pertama']), 10_000)
    session.user = { id: 'somebody else' }
    first.release()
    await vi.waitFor(() => expect(stored).toHaveLength(1), 10_000)
    await post(text(other, 'Milik orang lain'))
    await vi.waitFor(() => expect(bodiesOf(send)).toContain('Milik orang lain'), 10_000)
    await vi.waitFor(() => expect(stored.map(({ owner }) => owner)).toEqual(['staff']), 10_000)
    expect(bodiesOf(send)).not.toContain('Kedua')
  })

  it('does not send a message discarded while an earlier one is being sent', async () => {
    const { send, stored, fail, post, discard, current } = await aBox({ canStore: true })
    send.mockImplementation(() => fail(0, 'offline'))
    await post(text(conversation, 'Pertama'))
    await post(text(conversation, 'Dibuang'))
    await vi.waitFor(() => expect(current().failure).not.toBeNull(), 10_000)
    send.mockClear()
    const first = aSlowAnswer()
    send.mockImplementation(() => Promise.resolve({ data: { seq: 2 } })).mockImplementationOnce(() => first.answer)
    await post(text(conversation, 'Ketiga'))
    await vi.waitFor(() => expect(bodiesOf(send)).toEqual(['Pertama']), 10_000)
    await discard(current().items.find(({ data }) => data.kind === 'text' && data.body === 'Dibuang')!.id)
    first.release()
    await vi.waitFor(() => expect(stored).toEqual([]), 10_000)
    expect(bodiesOf(send)).toEqual(['Pertama', 'Ketiga'])
  })

  it('still knows of unsent messages after the session has ended', async () => {
    const { send, fail, session, notes, post, current } = await aBox({ canStore: true })
    send.mockImplementationOnce(() => {
      session.user = undefined
      return fail(401, 'unauthenticated')
    })
    await post(text(conversation, 'Menunggu'))
    await vi.waitFor(() => expect(current().failure).not.toBeNull(), 10_000)
    expect(notes.get('staff')).toBe(true)
  })
})
