import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedText } from '#entities/define/typed-text.ts'
import { shownProfile, updateProfile } from './endpoints.ts'

const registrationId = z.object({ id: z.uuid() })
const staffProfile = shownProfile.extend({
  /** Whether the NIK shows only its last four digits, because the reader lacks permission for identity numbers. */
  nikMasked: z.boolean(),
})
export type StaffProfile = z.output<typeof staffProfile>
const response = z.object({ data: staffProfile })

export const readApplicantProfile = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/profile',
  access: 'pendaftaran-profile-view',
  summary: 'The whole profile of the applicant of a registration; reads are recorded',
  params: registrationId,
  response,
})

export const changeApplicantProfile = endpoint({
  method: 'PUT',
  path: '/pendaftaran/:id/profile',
  access: 'pendaftaran-profile-update',
  summary: 'Correct any part of the profile of an applicant, with a reason',
  params: registrationId,
  /** Body of the applicant's endpoint, without the guardian's consent, which staff cannot give. */
  body: updateProfile.body.omit({ guardianConsent: true }).extend({ reason: typedText().min(3).max(300) }),
  response,
})

export const listProfileChanges = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/profile/history',
  access: 'pendaftaran-profile-view',
  summary: 'Changes of the profile of an applicant, newest first',
  params: registrationId,
  response: z.object({
    data: z.array(
      z.object({
        id: z.number(),
        at: time,
        actor: z.string(),
        role: z.string().nullable(),
        action: z.string(),
        reason: z.string().nullable(),
        /** References by name; the NIK masked to its last four digits. */
        changes: z.array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
      }),
    ),
  }),
})
export type ProfileChange = z.output<typeof listProfileChanges.response>['data'][number]
