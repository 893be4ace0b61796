import { z } from 'zod'
import { bulkAnswer } from '#domain/admissions/schemas.ts'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'

export const student = z.object({
  registrationId: z.uuid(),
  npm: z.string(),
  name: z.string(),
  programme: z.string(),
  issuedAt: time,
})

export const issueNumber = endpoint({
  method: 'POST',
  path: '/npm-mahasiswa/:registrationId',
  access: 'npm-mahasiswa-update',
  summary: 'Issue the student number of a confirmed registration',
  params: z.object({ registrationId: z.uuid() }),
  body: z.strictObject({}),
  response: z.object({ data: student }),
})

const ids = z.strictObject({ ids: z.array(z.uuid()).min(1).max(500) })

export const previewNumbers = endpoint({
  method: 'POST',
  path: '/npm-mahasiswa/bulk/preview',
  access: 'npm-mahasiswa-update',
  reads: true,
  summary: 'Which of the chosen registrations can get a student number, and why not the others',
  body: ids,
  response: z.object({ data: bulkAnswer }),
})

export const issueNumbers = endpoint({
  method: 'POST',
  path: '/npm-mahasiswa/bulk',
  access: 'npm-mahasiswa-update',
  summary: 'Issue many student numbers; answers for each',
  body: ids,
  response: z.object({ data: bulkAnswer }),
})
