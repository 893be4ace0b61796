import { sql } from 'kysely'
import { universityCalendar } from '#domain/calendar.ts'
import type { LetterAudience } from '#domain/letters/letter-texts.ts'
import { theOnly } from '#domain/must.ts'
import type { VerificationState } from '#domain/verification/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { initialsOf } from '#server/platform/access/masks.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { idOfLetterCode } from './letter-code.ts'
import { type LetterWithText, lettersWithText, textOf } from './letter-document.ts'
import { allowsLetter, type LetterFacts, presentFacts, readSubjects } from './letter-facts.ts'

/** Result of checking a letter's code; undefined for a forged one. */
export async function verifyLetter(services: Services, code: string, language: Language) {
  const letterId = idOfLetterCode(services, code)
  if (letterId === undefined) return undefined
  const now = services.clock.now()
  const letter = await lettersWithText(services.db)
    .innerJoin('waves as w', 'w.id', 'r.waveId')
    .select(['r.code', 'w.name as wave', 'w.academicYear'])
    .select(allowsLetter('accepted', now).as('accepted'))
    .select(allowsLetter('registered', now).as('registered'))
    .where('l.id', '=', letterId)
    .executeTakeFirst()
  if (!letter) return undefined
  const facts = letter.facts as LetterFacts
  const holds = (letter.audience as LetterAudience) === 'accepted' ? letter.accepted : letter.registered
  const state: VerificationState =
    letter.state !== 'valid'
      ? (letter.state as VerificationState)
      : !holds
        ? 'void'
        : letter.validUntil && letter.validUntil < universityCalendar().dayOf(now)
          ? 'expired'
          : (await hasChanged(services.db, letter, now))
            ? 'changed'
            : 'valid'
  return {
    kind: 'letter' as const,
    state,
    initials: initialsOf(facts.name ?? ''),
    programme: facts.programme ?? facts.choice ?? null,
    number: letter.number,
    title: textOf(letter, language)
      .title.replace(/\{\{.*?\}\}/g, '')
      .trim(),
    wave: `${letter.wave} ${letter.academicYear}`,
    issuedAt: letter.issuedAt,
    validUntil: letter.validUntil,
  }
}

/** Facts that change in time without making the letter wrong: it was right on its date. */
const datedFacts = new Set(['confirmation', 'paid'])

/** Whether the registration's current facts differ from those frozen in its letter. */
async function hasChanged(db: Db, letter: LetterWithText, now: Date) {
  const subject = theOnly(await readSubjects(db, systemActor, now, sql`r.id = ${letter.registrationId}`))
  const present = presentFacts(subject, letter.language)
  return Object.entries(letter.facts as LetterFacts).some(
    ([name, value]) => !datedFacts.has(name) && present[name] !== value,
  )
}
