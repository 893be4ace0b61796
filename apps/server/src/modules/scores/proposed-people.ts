import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { checkAgain } from './check-import.ts'
import { getScoreImport, lockScoreImport, type ScoreImportRow } from './score-imports.ts'

/** Rows without a known code and the people they may mean, unconfirmed rows first. */
export async function listProposedPeople(db: Db, actor: Actor, importId: string) {
  await getScoreImport(db, actor, importId)
  const people = await db
    .selectFrom('scoreImportPeople')
    .selectAll()
    .where('importId', '=', importId)
    .orderBy('confirmedAt', (order) => order.asc().nullsFirst())
    .orderBy('row')
    .limit(1000)
    .execute()
  const ids = [...new Set(people.flatMap(({ candidates }) => candidates))]
  const found =
    ids.length === 0
      ? []
      : await db
          .selectFrom('registrations as r')
          .innerJoin('applicants as a', 'a.id', 'r.applicantId')
          .leftJoin('testSeats as s', (join) =>
            join.onRef('s.registrationId', '=', 'r.id').on('s.status', '<>', 'released'),
          )
          .leftJoin('testSessions as e', 'e.id', 's.testSessionId')
          .select(['r.id as registrationId', 'r.code', 'a.fullName as name', 'a.birthDate', 'e.name as session'])
          .where('r.id', 'in', ids)
          .execute()
  const byId = new Map(found.map((candidate) => [candidate.registrationId, candidate]))
  return people.map(({ row, name, birthDate, candidates, registrationId, confirmedAt }) => ({
    row,
    name,
    birthDate,
    candidates: candidates.flatMap((id) => byId.get(id) ?? []),
    registrationId,
    confirmed: confirmedAt !== null,
  }))
}

type Choice = { row: number; registrationId: string | null }

/** Saves who is meant and checks the file again; 404 for a row or person that was not proposed. */
export async function confirmPeople(
  services: Services,
  actor: Actor,
  id: string,
  choices: readonly Choice[],
): Promise<ScoreImportRow> {
  const { db, clock } = services
  const record = await getScoreImport(db, actor, id)
  await db.transaction().execute(async (tx) => {
    if (!(await lockScoreImport(tx, id, ['checked']))) throw conflict('wrong_status')
    const people = await tx
      .selectFrom('scoreImportPeople')
      .select(['row', 'candidates'])
      .where('importId', '=', id)
      .execute()
    const candidatesOf = new Map(people.map(({ row, candidates }) => [row, candidates]))
    for (const { row, registrationId } of choices) {
      const candidates = candidatesOf.get(row)
      if (!candidates || (registrationId !== null && !candidates.includes(registrationId))) throw notFound('row')
      await tx
        .updateTable('scoreImportPeople')
        .set({ registrationId, confirmedAt: clock.now(), confirmedBy: actor.accountId })
        .where('importId', '=', id)
        .where('row', '=', row)
        .execute()
    }
  })
  return checkAgain(services, actor, record)
}
