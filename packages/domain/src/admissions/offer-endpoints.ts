import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'
import { typedMoment } from '#entities/define/typed-dates.ts'
import { typedText } from '#entities/define/typed-text.ts'

const byId = z.object({ id: z.uuid() })
const reason = typedText().min(3).max(500)
const chosenOffers = z.strictObject({ ids: z.array(z.uuid()).min(1).max(500) })
const namedOffer = z.object({ id: z.uuid(), title: z.string() })

export const markResultSeen = endpoint({
  method: 'POST',
  path: '/pendaftaran/:id/result-seen',
  access: 'pendaftaran-view',
  summary: 'Note that the applicant has seen the published result; does nothing for anybody else',
  params: byId,
  body: z.strictObject({}),
  response: z.object({ data: z.object({ seen: z.boolean() }) }),
})

export const downloadAcceptanceLetter = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/acceptance-letter.pdf',
  access: 'konfirmasi-kelulusan-view',
  summary: 'Acceptance letter (PDF) of a published acceptance',
  params: byId,
  query: z.object({ language: z.enum(languages).optional() }),
  response: z.any(),
})

const newDeadline = {
  body: z.strictObject({ dueAt: typedMoment, reason }),
  rules: ({ dueAt }: { dueAt?: string }, now: Date) => ({
    dueAt: dueAt && Date.parse(dueAt) <= now.getTime() ? ('deadline_past' as const) : null,
  }),
  response: z.object({ data: z.object({ id: z.uuid(), dueAt: time }) }),
}

export const extendOffer = endpoint({
  method: 'POST',
  path: '/pendaftaran/:id/offer-due',
  access: 'pendaftaran-confirm',
  summary: 'Give one accepted applicant another deadline to answer, and tell the applicant',
  params: byId,
  ...newDeadline,
})

export const reopenOffer = endpoint({
  method: 'POST',
  path: '/pendaftaran/:id/reopen-offer',
  access: 'pendaftaran-confirm',
  summary: 'Open an expired offer again with a new deadline while its place is free, and tell the applicant',
  params: byId,
  ...newDeadline,
})

export const previewOfferReminders = endpoint({
  method: 'POST',
  path: '/konfirmasi-kelulusan/remind/preview',
  access: 'pendaftaran-confirm',
  reads: true,
  summary: 'Which of the chosen applicants would be reminded to answer, which not and why, and what they would read',
  body: chosenOffers,
  response: z.object({
    data: z.object({
      allowed: z.array(namedOffer),
      refused: z.array(namedOffer.extend({ reason: z.string() })),
      /** Message to the first recipient, in that applicant's language. */
      sample: z.object({ subject: z.string(), body: z.string() }).nullable(),
    }),
  }),
})

export const remindOffers = endpoint({
  method: 'POST',
  path: '/konfirmasi-kelulusan/remind',
  access: 'pendaftaran-confirm',
  summary: 'Remind accepted applicants who have not answered, at most once a day',
  body: chosenOffers,
  response: z.object({ data: z.object({ reminded: z.int(), left: z.int() }) }),
})

const changedPlace = z.object({ data: z.object({ id: z.uuid() }) })

export const offerReservePlace = endpoint({
  method: 'POST',
  path: '/seleksi/reserve/:id/offer',
  access: 'seleksi-update',
  summary: 'Offer a free place to the next of a reserve list',
  params: byId,
  body: z.strictObject({}),
  response: changedPlace,
})

export const skipReservePlace = endpoint({
  method: 'POST',
  path: '/seleksi/reserve/:id/skip',
  access: 'seleksi-update',
  summary: 'Take one candidate out of a reserve list',
  params: byId,
  body: z.strictObject({ reason }),
  response: changedPlace,
})

export const closeReserveList = endpoint({
  method: 'POST',
  path: '/seleksi/reserve/:id/close',
  access: 'seleksi-update',
  summary: 'Close the reserve list of a candidate: whoever still waits on it gets no place from it',
  params: byId,
  body: z.strictObject({ reason }),
  response: z.object({ data: z.object({ closed: z.int() }) }),
})
