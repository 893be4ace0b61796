import { z } from 'zod'
import { licenceClasses } from '#domain/applicants/driving-licence.ts'
import { endpoint, type Problems } from '#domain/endpoint.ts'
import { rowVersion } from '#domain/row-version.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedText } from '#entities/define/typed-text.ts'
import { licenceStates, licenceValidities } from './validity.ts'

const params = z.object({ id: z.uuid() })

const licence = z.object({
  id: z.uuid(),
  version: z.int(),
  name: z.string(),
  code: z.string(),
  npm: z.string().nullable(),
  registrationId: z.uuid(),
  class: z.enum(licenceClasses),
  number: z.string(),
  expiresOn: z.string(),
  validity: z.enum(licenceValidities),
  state: z.enum(licenceStates),
  rejectReason: z.string().nullable(),
  reviewedBy: z.string().nullable(),
  reviewedAt: time.nullable(),
  updatedAt: time,
})
export type StudentLicence = z.output<typeof licence>

export const readLicence = endpoint({
  method: 'GET',
  path: '/sim-mahasiswa/:id',
  access: 'sim-mahasiswa-update',
  summary: 'Driving licence of an account, with the state of its review',
  params,
  response: z.object({ data: licence }),
})

export const viewLicenceScan = endpoint({
  method: 'POST',
  path: '/sim-mahasiswa/:id/scan',
  access: 'sim-mahasiswa-update',
  summary: 'Signed address of the scan of a licence; the look is recorded',
  params,
  response: z.object({
    data: z.object({ kind: z.enum(['image', 'pdf']), url: z.string().nullable(), name: z.string() }),
  }),
})

export const licenceScanContent = endpoint({
  method: 'GET',
  path: '/sim-mahasiswa/:id/scan/content',
  access: 'sim-mahasiswa-update',
  summary: 'File of the scan of a licence, unchanged; the download is recorded',
  params,
  response: z.any(),
})

export const reviewLicence = endpoint({
  method: 'POST',
  path: '/sim-mahasiswa/:id/review',
  access: 'sim-mahasiswa-update',
  summary: 'Verify or refuse a licence; either can be changed into the other until the applicant changes the licence',
  params,
  body: z.strictObject({
    version: rowVersion,
    verdict: z.enum(['approved', 'rejected']),
    reason: typedText().min(1).max(300).nullable().optional(),
  }),
  rules: ({ verdict, reason }: { verdict?: string; reason?: string | null }): Problems => ({
    reason: verdict === 'rejected' && !reason ? 'field_required' : null,
  }),
  response: z.object({ data: licence }),
})
