import type { Language } from '#entities/define/language.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { issueLetter } from './issue-letter.ts'
import { getLetter, letterFile } from './letter-file.ts'
import { lettersOfRegistration } from './registered-letters.ts'

/**
 * The owner's valid letters by kind, and the kinds they can issue themselves; 404 for anyone else. After a withdrawal,
 * only the office issues letters of that kind.
 */
export async function ownLetters(services: Services, actor: Actor, registrationId: string, language: Language) {
  await requireOwner(services, actor, registrationId)
  const { kinds } = await lettersOfRegistration(services, actor, registrationId, language)
  return {
    kinds: kinds
      .map((kind) => ({
        ...kind,
        selfService: kind.selfService && !kind.letters.some(({ state }) => state === 'withdrawn'),
        letters: kind.letters.filter(({ state }) => state === 'valid'),
      }))
      .filter(({ selfService, letters }) => selfService || letters.length > 0),
  }
}

/** `issueLetter` for the applicant; 409 unless `ownLetters` offers the kind. */
export async function takeOwnLetter(
  services: Services,
  actor: Actor,
  registrationId: string,
  kindId: string,
  language: Language,
) {
  const { kinds } = await ownLetters(services, actor, registrationId, language)
  if (!kinds.some(({ id, selfService }) => id === kindId && selfService)) throw conflict('letter_by_office')
  return issueLetter(services, actor, { registrationId, kindId, language, keepsText: true })
}

/** File of the applicant's own letter; 409 if it was replaced or withdrawn. */
export async function ownLetterFile(services: Services, actor: Actor, registrationId: string, id: string) {
  await requireOwner(services, actor, registrationId)
  const letter = await getLetter(services.db, actor, id)
  if (letter.registrationId !== registrationId) throw notFound('letter')
  if (letter.state !== 'valid') throw conflict('letter_not_valid')
  return letterFile(services, actor, id)
}

async function requireOwner({ db }: Services, actor: Actor, registrationId: string) {
  const own = await db
    .selectFrom('registrations')
    .select('id')
    .where('id', '=', registrationId)
    .where('accountId', '=', actor.accountId)
    .executeTakeFirst()
  if (!own) throw notFound('registration')
}
