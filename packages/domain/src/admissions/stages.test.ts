import { expect, it } from 'vitest'
import { stagesOf } from './stages.ts'

const day = new Date('2026-11-20T03:00:00Z')
const enrolled = {
  status: 'enrolled' as const,
  closedFrom: null,
  result: 'accepted' as const,
  feeOwed: false,
  enrolmentOpen: false,
  submittedAt: day,
  paidAt: day,
  verifiedAt: day,
  decidedAt: day,
  confirmedAt: day,
  enrolledAt: day,
}

it.each([
  [false, 'done'],
  [true, 'current'],
])('a student with open steps (%s) has the enrolment %s', (enrolmentOpen, state) =>
  expect(stagesOf({ ...enrolled, enrolmentOpen }).at(-1)).toMatchObject({ key: 'enrolment', state }),
)
