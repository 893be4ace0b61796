import { sql } from 'kysely'
import type { StudyIntent } from '#domain/accounts/endpoints.ts'
import { theOnly } from '#domain/must.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

export const findStudyIntent = (db: Db, accountId: string): Promise<StudyIntent | undefined> =>
  db
    .selectFrom('studyIntents')
    .select(['waveId', 'trackId', 'classProgrammeId', 'programmeIds'])
    .where('accountId', '=', accountId)
    .executeTakeFirst()

/** Checks only that the options exist and are active; capacity and windows are checked when registering. */
export const saveStudyIntent = (services: Services, actor: Actor, intent: StudyIntent) =>
  services.db.transaction().execute(async (tx) => {
    const programmeIds = [...new Set(intent.programmeIds)]
    await refuseUnknown(tx, { ...intent, programmeIds })
    const values = { ...intent, programmeIds, updatedAt: services.clock.now() }
    const before = await findStudyIntent(tx, actor.accountId)
    await tx
      .insertInto('studyIntents')
      .values({ accountId: actor.accountId, ...values })
      .onConflict((conflict) => conflict.column('accountId').doUpdateSet(values))
      .execute()
    const after = { ...intent, programmeIds }
    await recordAudit(tx, actor, { action: 'account.study_intent', on: { account: actor.accountId }, before, after })
    return after
  })

async function refuseUnknown(tx: Db, { waveId, trackId, classProgrammeId, programmeIds }: StudyIntent) {
  const { rows } = await sql<{ wave: boolean; track: boolean; classProgramme: boolean; programmes: number }>`
    SELECT ${waveId}::uuid IS NULL OR EXISTS (SELECT FROM waves WHERE id = ${waveId} AND active) AS wave,
           ${trackId}::uuid IS NULL OR EXISTS (SELECT FROM tracks WHERE id = ${trackId} AND active) AS track,
           ${classProgrammeId}::uuid IS NULL
             OR EXISTS (SELECT FROM class_programmes WHERE id = ${classProgrammeId} AND active) AS class_programme,
           (SELECT count(*)::int FROM study_programmes WHERE id = ANY(${programmeIds}::uuid[]) AND active) AS programmes`.execute(
    tx,
  )
  const existing = theOnly(rows)
  const unknownFields = {
    ...(!existing.wave && { waveId: 'not_found' as const }),
    ...(!existing.track && { trackId: 'not_found' as const }),
    ...(!existing.classProgramme && { classProgrammeId: 'not_found' as const }),
    ...(existing.programmes !== programmeIds.length && { programmeIds: 'not_found' as const }),
  }
  if (Object.keys(unknownFields).length > 0) throw invalid(unknownFields)
}
