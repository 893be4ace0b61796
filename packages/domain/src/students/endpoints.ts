import { z } from 'zod'
import { bulkOutcome } from '../admissions/schemas.ts'
import { endpoint } from '../endpoint.ts'

const ids = z.strictObject({ ids: z.array(z.uuid()).min(1).max(500) })

export const issueNumber = endpoint({
  method: 'POST',
  path: '/npm-mahasiswa/:registrationId',
  access: 'npm-mahasiswa-update',
  summary: 'Issue the student number of a confirmed registration',
  params: z.object({ registrationId: z.uuid() }),
  body: z.strictObject({}),
  response: z.object({ data: z.object({ registrationId: z.uuid(), studentNumber: z.string() }) }),
})

export const previewNumbers = endpoint({
  method: 'POST',
  path: '/npm-mahasiswa/bulk/preview',
  access: 'npm-mahasiswa-update',
  summary: 'Which of many registrations can get a student number, and why not the others',
  body: ids,
  response: z.object({ data: z.array(bulkOutcome) }),
})

export const issueNumbers = endpoint({
  method: 'POST',
  path: '/npm-mahasiswa/bulk',
  access: 'npm-mahasiswa-update',
  summary: 'Issue many student numbers',
  body: ids,
  response: z.object({ data: z.array(bulkOutcome) }),
})
