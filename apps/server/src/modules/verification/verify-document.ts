import type { Language } from '#entities/define/language.ts'
import { verifyRegistrationCard } from '#server/modules/admissions/registrations/verify-registration-card.ts'
import { verifyLetter } from '#server/modules/letters/verify-letter.ts'
import { verifyStudentCard } from '#server/modules/students/cards/student-card-code.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * What a printed code stands for and whether it counts; of its holder the answer has initials and programme only. Each
 * kind signs its codes with a text of its own, so a code is of one kind; throws 404 for a code of none.
 */
export async function verifyDocument(services: Services, code: string, language: Language) {
  const document =
    (await verifyLetter(services, code, language)) ??
    (await verifyStudentCard(services, code)) ??
    (await verifyRegistrationCard(services, code))
  if (!document) throw notFound('document')
  return document
}
