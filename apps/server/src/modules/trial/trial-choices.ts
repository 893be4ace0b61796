import { sql } from 'kysely'
import type { TrialChoices } from '#domain/trial/endpoints.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Choices the active settings offer, including waves and tracks that are not open yet. */
export async function trialChoices(db: Db) {
  const [waves, windows, places] = await Promise.all([
    db.selectFrom('waves').select(['id', 'name']).where('active', '=', true).orderBy('opensAt', 'desc').execute(),
    db
      .selectFrom('trackDetails as d')
      .innerJoin('waves as w', 'w.id', 'd.waveId')
      .innerJoin('tracks as t', 't.id', 'd.trackId')
      .innerJoin('entryLevels as e', 'e.id', 'd.entryLevelId')
      .select(['d.waveId', 'd.opensAt', 'd.closesAt', named('t').as('track'), named('e').as('entryLevel')])
      .where('d.active', '=', true)
      .where('t.active', '=', true)
      .where('e.active', '=', true)
      .where('w.active', '=', true)
      .orderBy('t.name')
      .orderBy('e.name')
      .execute(),
    db
      .selectFrom('programmeDetails as d')
      .innerJoin('waves as w', 'w.id', 'd.waveId')
      .innerJoin('studyProgrammes as p', 'p.id', 'd.programmeId')
      .innerJoin('classProgrammes as c', 'c.id', 'd.classProgrammeId')
      .select(['d.waveId', 'd.entryLevelId', named('c').as('classProgramme'), named('p').as('programme')])
      .where('d.active', '=', true)
      .where('p.active', '=', true)
      .where('c.active', '=', true)
      .where('w.active', '=', true)
      .orderBy('p.name')
      .orderBy('c.name')
      .execute(),
  ])
  return { waves, windows, places } satisfies { [K in keyof TrialChoices]: unknown }
}

const named = (alias: string) =>
  sql<{
    id: string
    name: string
  }>`jsonb_build_object('id', ${sql.ref(`${alias}.id`)}, 'name', ${sql.ref(`${alias}.name`)})`
