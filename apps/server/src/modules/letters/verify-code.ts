import { universityCalendar } from '#domain/calendar.ts'
import type { LetterAudience, PublicLetterState } from '#domain/letters/letter-texts.ts'
import type { Language } from '#entities/define/language.ts'
import { initialsOf, verifyCard } from '#server/modules/admissions/registrations/registration-card.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { textOf } from './draw-letters.ts'
import { idOfLetterCode } from './letter-code.ts'
import { allowsLetter, type LetterFacts } from './letter-facts.ts'
import { lettersWithText, templatePart } from './letter-file.ts'

/** What the code on a card or a letter proves; of the person the answer holds the initials only. */
export async function verifyCode(services: Services, code: string, language: Language) {
  const letterId = idOfLetterCode(services, code)
  if (letterId === undefined) return { ...(await verifyCard(services, code)), letter: null }
  const now = services.clock.now()
  const letter = await lettersWithText(services.db)
    .innerJoin('waves as w', 'w.id', 'r.waveId')
    .select(['r.code', 'w.name as wave', 'w.academicYear'])
    .select(allowsLetter('accepted', now).as('accepted'))
    .select(allowsLetter('registered', now).as('registered'))
    .where('l.id', '=', letterId)
    .executeTakeFirst()
  if (!letter) throw notFound('letter')
  const facts = letter.facts as LetterFacts
  const holds = (letter.audience as LetterAudience) === 'accepted' ? letter.accepted : letter.registered
  const state: PublicLetterState =
    letter.state !== 'valid'
      ? (letter.state as PublicLetterState)
      : !holds
        ? 'void'
        : letter.validUntil && letter.validUntil < universityCalendar().dayOf(now)
          ? 'expired'
          : 'valid'
  return {
    code: letter.number,
    initials: initialsOf(facts.name ?? ''),
    valid: state === 'valid',
    wave: `${letter.wave} ${letter.academicYear}`,
    letter: {
      title: textOf(templatePart(letter), language)
        .title.replace(/\{\{.*?\}\}/g, '')
        .trim(),
      programme: facts.programme ?? facts.choice ?? null,
      issuedAt: letter.issuedAt,
      validUntil: letter.validUntil,
      state,
    },
  }
}
