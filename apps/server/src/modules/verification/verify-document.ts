import type { Language } from '#entities/define/language.ts'
import { verifyRegistrationCard } from '#server/modules/admissions/registrations/verify-registration-card.ts'
import { verifyLetter } from '#server/modules/letters/verify-letter.ts'
import { verifyStudentCard } from '#server/modules/students/cards/student-card-code.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * The document a printed code belongs to and whether it is valid, with the holder's initials and programme only. Each
 * kind of document signs its codes differently, so at most one matches; throws 404 if none does.
 */
export async function verifyDocument(services: Services, code: string, language: Language) {
  const document =
    (await verifyLetter(services, code, language)) ??
    (await verifyStudentCard(services, code)) ??
    (await verifyRegistrationCard(services, code))
  if (!document) throw notFound('document')
  return document
}
