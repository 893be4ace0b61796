import { describe, expect, test } from 'vitest'
import {
  canTake,
  type DocumentAction,
  type DocumentStatus,
  documentStatuses,
  documentsStateOf,
  documentTransitions,
  requiredDocumentsSettled,
} from './document-status.ts'

const required = (status: DocumentStatus) => ({ status, required: true })
const optional = (status: DocumentStatus) => ({ status, required: false })

test('every status can be reached from an empty slot', () => {
  const reachable = new Set<string>(['empty'])
  for (const _ of documentStatuses)
    for (const { from, to } of Object.values(documentTransitions))
      if (from.some((status) => reachable.has(status))) reachable.add(to === 'before' ? 'uploaded' : to)
  expect(documentStatuses.filter((status) => !reachable.has(status))).toEqual([])
})

test('an approved document can only be reopened', () => {
  const allowedActions = (Object.keys(documentTransitions) as DocumentAction[]).filter((action) =>
    canTake(action, 'approved'),
  )
  expect(allowedActions).toEqual(['reopen'])
})

describe('the combined state of all slots', () => {
  test.each([
    [[], 'complete'],
    [[required('empty')], 'missing'],
    [[optional('empty')], 'complete'],
    [[required('approved'), required('waived'), required('deferred')], 'complete'],
    [[required('approved'), required('rejected'), required('empty')], 'rejected'],
    [[optional('rejected'), required('approved')], 'complete'],
    [[required('rejected'), required('uploaded')], 'to_review'],
    [[required('approved'), optional('uploaded')], 'to_review'],
  ] as const)('%j is %s', (slots, state) => expect(documentsStateOf(slots)).toBe(state))

  test('an optional document waiting for review does not block the registration', () => {
    expect(requiredDocumentsSettled([required('approved'), optional('uploaded')])).toBe(true)
    expect(requiredDocumentsSettled([required('approved'), required('uploaded')])).toBe(false)
  })
})
