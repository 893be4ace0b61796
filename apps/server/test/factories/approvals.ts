import { expect } from 'vitest'
import { asStaff } from '#server-test/actors.ts'
import type { TestApp } from '#server-test/test-app.ts'

/** Approves a request with a new administrator account and returns it. */
export async function approvedByAnother(t: TestApp, requestId: string) {
  const approver = await asStaff(t, 'Administrator', { name: 'Orang Kedua' })
  const answer = await approver.post(`/persetujuan/${requestId}/decide`, { approve: true, reason: 'Sesuai ketentuan' })
  expect(answer.statusCode, answer.body).toBe(200)
  return approver
}
