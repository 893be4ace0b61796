import { beforeEach, expect, test, vi } from 'vitest'
import { pieceBytes } from '#domain/uploads/pieces.ts'
import { ApiError } from './client.ts'
import { type Transmission, transmit } from './transmit.ts'
import { sendInPieces } from './upload-pieces.ts'

vi.mock('./transmit.ts', () => ({ transmit: vi.fn() }))

const bytes = pieceBytes + 10
const path = '/pendaftaran/1/files/2'
const calls: string[] = []
beforeEach(() => {
  calls.length = 0
})

/** A server whose uploads are numbered; `refuse` may answer a call with an error instead. */
function answerAs(refuse: (call: string) => ApiError | undefined) {
  let count = 0
  vi.mocked(transmit).mockImplementation((async ({ method = 'POST', path: to, query }: Transmission) => {
    const call = `${method} ${to}${query ? `?from=${query.from}` : ''}`
    calls.push(call)
    const refusal = refuse(call)
    if (refusal) throw refusal
    if (to === path) return { data: 'stored' }
    const id = to === '/uploads' ? ++count : Number(to.split('/')[2])
    const received = query ? Math.min(Number(query.from) + pieceBytes, bytes) : 0
    return { data: { id: String(id), received } }
  }) as typeof transmit)
}
function send(onProgress = vi.fn()) {
  const form = new FormData()
  form.append('version', '3')
  form.append('file', new File([new Uint8Array(bytes)], 'rapor.jpg'))
  return sendInPieces({ path, form, onProgress, options: {} })
}
const uploadCalls = (id: number) => [
  `POST /uploads/${id}/pieces?from=0`,
  `POST /uploads/${id}/pieces?from=${pieceBytes}`,
]

test('a file whose upload the server lost at the end is sent again from its first byte', async () => {
  answerAs((call) => {
    const isFirst = calls.filter((other) => other === 'POST /uploads').length === 1
    const isLost = call === `POST ${path}` || call === 'GET /uploads/1'
    return isFirst && isLost ? new ApiError(404, 'not_found', 'Gone') : undefined
  })
  expect(await send()).toEqual({ data: 'stored' })
  const rest = [`POST ${path}`, 'GET /uploads/1', 'POST /uploads', ...uploadCalls(2), `POST ${path}`]
  expect(calls).toEqual(['POST /uploads', ...uploadCalls(1), ...rest])
})

test('a document that is gone is not sent to again', async () => {
  answerAs((call) => (call === `POST ${path}` ? new ApiError(404, 'not_found', 'Gone') : undefined))
  await expect(send()).rejects.toMatchObject({ status: 404 })
  expect(calls.filter((call) => call === 'POST /uploads')).toHaveLength(1)
})

test('too many uploads are shown as what they are, and a busy server is not called a missing network', async () => {
  vi.stubGlobal('navigator', { onLine: true })
  answerAs((call) => (call === 'POST /uploads' ? new ApiError(429, 'too_many_uploads', 'Too many') : undefined))
  const onProgress = vi.fn()
  await expect(send(onProgress)).rejects.toMatchObject({ code: 'too_many_uploads' })
  expect(onProgress).not.toHaveBeenCalled()
  let busy = true
  answerAs((call) => {
    if (!busy || call !== 'POST /uploads') return undefined
    busy = false
    return new ApiError(503, 'service_unavailable', 'Busy')
  })
  await send(onProgress)
  expect(onProgress.mock.calls[0]).toEqual([0, 'server'])
  vi.unstubAllGlobals()
})
