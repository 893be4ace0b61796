import { expect } from 'vitest'
import { asStaff } from '#server-test/actors.ts'
import type { TestApp } from '#server-test/test-app.ts'

/** Another account approves a request; gives back who. */
export async function approvedByAnother(t: TestApp, requestId: string) {
  const second = await asStaff(t, 'Administrator', { name: 'Orang Kedua' })
  const answer = await second.post(`/persetujuan/${requestId}/decide`, { approve: true, reason: 'Sesuai ketentuan' })
  expect(answer.statusCode, answer.body).toBe(200)
  return second
}
