import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { rowVersion } from '#domain/row-version.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedDay } from '#entities/define/typed-dates.ts'
import { typedText } from '#entities/define/typed-text.ts'
import * as data from './enrolment-data.ts'

const text = (most: number) => typedText().max(most).nullable()
const day = typedDay.nullable()
const parent = {
  education: z.enum(data.parentEducations).nullable(),
  occupation: z.enum(data.parentOccupations).nullable(),
  income: z.enum(data.parentIncomes).nullable(),
}

const answers = {
  residence: z.enum(data.residences).nullable(),
  transport: z.enum(data.transports).nullable(),
  hamlet: text(60),
  homePhone: text(20),
  taxNumber: text(24),
  financing: z.enum(data.financings).nullable(),
  kpsRecipient: z.boolean(),
  kpsNumber: text(80),
  motherName: text(100),
  motherNik: text(40),
  motherBirthDate: day,
  motherEducation: parent.education,
  motherOccupation: parent.occupation,
  motherIncome: parent.income,
  fatherName: text(100),
  fatherNik: text(40),
  fatherBirthDate: day,
  fatherEducation: parent.education,
  fatherOccupation: parent.occupation,
  fatherIncome: parent.income,
  guardianName: text(100),
  guardianBirthDate: day,
  guardianEducation: parent.education,
  guardianOccupation: parent.occupation,
  guardianIncome: parent.income,
  previousUniversity: text(150),
  previousProgramme: text(150),
  recognisedCredits: z.int().min(0).max(999).nullable(),
} satisfies Record<data.EnrolmentField, z.ZodType>

const shownData = z.object({
  ...answers,
  /** Null until the student has answered. */
  kpsRecipient: z.boolean().nullable(),
  registrationId: z.uuid(),
  code: z.string(),
  name: z.string(),
  /** Only transfer students are asked for the former university. */
  isTransfer: z.boolean(),
  /** Identity numbers are null because the reader's role does not see them. */
  identityHidden: z.boolean(),
  /** Null before the first save. */
  savedAt: time.nullable(),
  version: z.int(),
})
export type EnrolmentData = z.output<typeof shownData>

const params = z.object({ id: z.uuid() })
/** `version` is 0 before the first save. */
const body = { ...answers, version: rowVersion.default(0) }
const response = z.object({ data: shownData })

export const getEnrolmentData = endpoint({
  method: 'GET',
  path: '/account/enrolment-data/:id',
  access: 'signed-in',
  summary: 'Own data for the enrolment, with what the profile knows filled in',
  params,
  response,
})

export const saveEnrolmentData = endpoint({
  method: 'PUT',
  path: '/account/enrolment-data/:id',
  access: 'signed-in',
  summary: 'Answer the data for the enrolment',
  params,
  body: z.strictObject(body),
  rules: data.enrolmentProblems,
  response,
})

export const readEnrolmentData = endpoint({
  method: 'GET',
  path: '/berkas-mahasiswa/:id/enrolment-data',
  access: 'berkas-mahasiswa-update',
  summary: 'Data of a student for the enrolment; reads are recorded',
  params,
  response,
})

export const correctEnrolmentData = endpoint({
  method: 'PUT',
  path: '/berkas-mahasiswa/:id/enrolment-data',
  access: 'berkas-mahasiswa-update',
  summary:
    'Correct the data of a student for the enrolment, with a reason; open questions stay open, identity numbers stay for roles that do not see them',
  params,
  body: z.strictObject({
    ...body,
    kpsRecipient: z.boolean().nullable(),
    reason: typedText().min(3).max(300),
  }),
  rules: data.enrolmentFormatProblems,
  response,
})
