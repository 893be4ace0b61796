import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'

/** The registration fees of a wave with the choices of their rule; by default the newest wave with fees. */
export async function readRule(db: Db, wantedWaveId: string | undefined) {
  const { rows: waves } = await sql<{ id: string; title: string; rows: number }>`
    SELECT w.id, concat_ws(' · ', w.name, w.academic_year) AS title, count(f.id)::int AS rows
    FROM waves w LEFT JOIN registration_fees f ON f.wave_id = w.id
    GROUP BY w.id HAVING w.active OR count(f.id) > 0
    ORDER BY w.opens_at DESC, w.id`.execute(db)
  const wave = wantedWaveId
    ? waves.find(({ id }) => id === wantedWaveId)
    : (waves.find(({ rows }) => rows > 0) ?? waves[0])
  if (wantedWaveId && !wave) throw notFound('periode')
  const findNamed = (table: 'entryLevels' | 'classProgrammes') =>
    db.selectFrom(table).select(['id', 'name']).where('active', '=', true).orderBy('code').execute()
  const [rows, tracks, entryLevels, classProgrammes] = await Promise.all([
    wave
      ? db
          .selectFrom('registrationFees')
          .select(['id', 'amount', 'trackId', 'entryLevelId', 'classProgrammeId', 'active'])
          .where('waveId', '=', wave.id)
          .orderBy('createdAt')
          .orderBy('id')
          .execute()
      : [],
    db.selectFrom('tracks').select(['id', 'name', 'freeOfFee']).where('active', '=', true).orderBy('code').execute(),
    findNamed('entryLevels'),
    findNamed('classProgrammes'),
  ])
  return { waveId: wave?.id ?? null, waves, rows, tracks, entryLevels, classProgrammes }
}
