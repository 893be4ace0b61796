import { expect, test } from 'vitest'
import { newTrialId, newTrialToken, trialOfRequest } from './trial-id.ts'

const id = newTrialId()

test('a request belongs to a trial by its token, or as one of its pictures or files', () => {
  expect(trialOfRequest(`Bearer ${newTrialToken(id)}`, 'POST', '/api/account')).toEqual({ id, hasToken: true })
  for (const url of [`/getImage?image=a&key=${id}.b`, `/api/files/a/download?reader=${id}&key=b`])
    expect(trialOfRequest(undefined, 'GET', url)).toEqual({ id, hasToken: false })
})

test("knowing a trial's id gives access to nothing else of it", () => {
  for (const [method, url] of [
    ['GET', `/api/sandbox-bank/1?key=${id}`],
    ['POST', `/getImage?image=a&key=${id}.b`],
    ['GET', `/getImage/../api/outbox?key=${id}`],
  ] as const)
    expect(trialOfRequest(undefined, method, url)).toBeUndefined()
})
