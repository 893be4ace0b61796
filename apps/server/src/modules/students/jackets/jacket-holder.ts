import { type RawBuilder, sql } from 'kysely'
import { cardCodeIn } from '#domain/testing/attendance.ts'
import { codeOfCard } from '#server/modules/admissions/registrations/registration-card.ts'
import { findStudentCard } from '#server/modules/students/cards/student-card-code.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { AppError, conflict, notFound } from '#server/platform/errors.ts'
import { imageUrl } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'

/** A student with current and earlier jackets, and the stock; 404 if the actor may not see the student. */
export async function readHolder(services: Services, actor: Actor, registrationId: string) {
  const { db } = services
  const student = await db
    .selectFrom('registrations as r')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .leftJoin('studyProgrammes as p', 'p.id', 'r.acceptedProgrammeId')
    .leftJoin('students as s', 's.registrationId', 'r.id')
    .select(['r.id as registrationId', 'r.code', 'r.status', 'a.fullName as name', 's.npm', 'p.name as programme'])
    .select(['a.clothesSize as wanted', 'a.photoFileId'])
    .where('r.id', '=', registrationId)
    .where(visibleTo(actor))
    .executeTakeFirst()
  if (!student) throw notFound('registration')
  const { photoFileId, ...answer } = student
  const handOuts = await db
    .selectFrom('jacketHandOuts as h')
    .leftJoin('accounts as u', 'u.id', 'h.handedBy')
    .leftJoin('accounts as e', 'e.id', 'h.endedBy')
    .select(['h.id', 'h.size', 'h.handedAt', 'u.name as handedBy', 'h.signature', 'h.note'])
    .select(['h.endedAt', 'e.name as endedBy', 'h.endedAs', 'h.endedReason', 'h.usable'])
    .where('h.registrationId', '=', registrationId)
    .orderBy('h.handedAt', 'desc')
    .orderBy(sql`h.ended_at IS NULL`, 'desc')
    .execute()
  const onHand = await db.selectFrom('jacketStock').select(['size', 'onHand as count']).orderBy('position').execute()
  return {
    ...answer,
    photoUrl: photoFileId ? imageUrl(services, actor, 'photo', photoFileId, { thumbnail: true }) : null,
    onHand,
    handOuts,
  }
}

/**
 * Registration id for a typed or scanned text: a student number, a registration code, or the code or QR URL of a
 * genuine registration or student card. 404 if the actor sees no such registration, 409 for a replaced or withdrawn
 * student card.
 */
export async function findByCode(services: Services, actor: Actor, text: string) {
  const code = cardCodeIn(text)
  const findVisible = async (condition: RawBuilder<boolean>) =>
    (
      await services.db
        .selectFrom('registrations as r')
        .leftJoin('students as s', 's.registrationId', 'r.id')
        .select('r.id')
        .where(condition)
        .where(visibleTo(actor))
        .executeTakeFirst()
    )?.id
  const card = await findStudentCard(services, code)
  const id = card
    ? await findVisible(sql`r.id = ${card.registrationId}`)
    : ((await findVisible(sql`s.npm = ${code}`)) ??
      (await findVisible(sql`r.code = ${codeOfCard(services, code) ?? code.toUpperCase()}`)))
  if (!id) throw new AppError(404, 'not_found', { what: 'student' }, { code: 'student_code_unknown' })
  if (card?.state === 'replaced') throw conflict('student_card_replaced')
  if (card?.state === 'withdrawn') throw conflict('student_card_withdrawn')
  return id
}
