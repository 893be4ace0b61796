import { sql } from 'kysely'
import type { z } from 'zod'
import type { saveWaveQuotas as saveCall, WaveQuotas } from '#domain/selection/quota-endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { programmeVisibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { writeDivision } from './quota-grid.ts'

const programmesOf = async (db: Db, actor: Actor, waveId: string) =>
  (
    await sql<WaveQuotas['programmes'][number]>`
      SELECT d.id, d.version, p.name AS programme, c.name AS class_programme, e.name AS entry_level, d.capacity,
        d.over_offer, coalesce(taken.count, 0) AS accepted,
        coalesce((SELECT jsonb_agg(jsonb_build_object('trackId', q.track_id, 'name', t.name, 'places', q.places,
            'spillTurn', q.spill_turn) ORDER BY q.spill_turn NULLS LAST, t.name)
          FROM track_quotas q JOIN tracks t ON t.id = q.track_id WHERE q.programme_detail_id = d.id), '[]') AS tracks,
        ARRAY(SELECT k.track_id::text FROM track_details k
          WHERE k.wave_id = d.wave_id AND k.entry_level_id = d.entry_level_id) AS track_ids
      FROM programme_details d JOIN study_programmes p ON p.id = d.programme_id
      JOIN class_programmes c ON c.id = d.class_programme_id JOIN entry_levels e ON e.id = d.entry_level_id
      LEFT JOIN (SELECT programme_id, class_programme_id, entry_level_id, count(*)::int FROM registrations
        WHERE wave_id = ${waveId} AND decision = 'accepted' AND status IN ('decided', 'confirmed', 'enrolled')
        GROUP BY 1, 2, 3) taken USING (programme_id, class_programme_id, entry_level_id)
      WHERE d.wave_id = ${waveId} AND d.active AND ${programmeVisibleTo(actor, 'd.programmeId')}
      ORDER BY p.name, c.name, e.name, d.id`.execute(db)
  ).rows

/** Division by track of every programme of a wave within the reader's scope. */
export async function readWaveQuotas(db: Db, actor: Actor, language: Language, waveId: string): Promise<WaveQuotas> {
  const wave = await db
    .selectFrom('waves')
    .select(sql<string>`name || ' ' || academic_year`.as('name'))
    .where('id', '=', waveId)
    .executeTakeFirst()
  if (!wave) throw notFound('quota')
  const tracks = await db
    .selectFrom('tracks as t')
    .select(['t.id as trackId', 't.name'])
    .where('t.id', 'in', (eb) => eb.selectFrom('trackDetails').select('trackId').where('waveId', '=', waveId))
    .orderBy('t.name')
    .orderBy('t.id')
    .execute()
  return {
    wave: wave.name,
    tracks,
    programmes: await programmesOf(db, actor, waveId),
    refusal: actor.permissions.has('seleksi-update') ? null : sentences(language)('errors:forbidden'),
  }
}

type Divisions = z.output<typeof saveCall.body>['programmes']

/**
 * Saves the divisions of many programmes of a wave in one transaction, in id order so that two users cannot deadlock.
 */
export const saveWaveQuotas = (services: Services, actor: Actor, waveId: string, programmes: Divisions) =>
  inTransaction(services, actor, async (context) => {
    for (const { id, ...division } of programmes.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
      await writeDivision(context, id, division, waveId)
  })
