import { type NotNull, sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import type { ChangedPlaces, ChosenRules } from '#domain/selection/rules.ts'
import { runScript } from '#seeds/demo/fill/run-script.ts'
import { passOnPlaces } from '#server/modules/admissions/reserve/offer-place.ts'
import { steps } from '#server/modules/admissions/steps/steps.ts'
import { checkScoreImport } from '#server/modules/scores/check-import.ts'
import { startScoreImport } from '#server/modules/scores/score-imports.ts'
import { createScoreRun } from '#server/modules/scores/score-runs.ts'
import { runScoreImport } from '#server/modules/scores/write-import.ts'
import { adoptRun } from '#server/modules/selection/adopt/adopt-run.ts'
import { requestAdoption } from '#server/modules/selection/adopt/request-adoption.ts'
import { copyRun, createRun } from '#server/modules/selection/runs/change-run.ts'
import { computeRun } from '#server/modules/selection/runs/compute-run.ts'
import { verifyRun } from '#server/modules/selection/verify/verify-run.ts'
import { storeBytes } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { actorOf, at, hourMs } from './actors.ts'

const office = actorOf('Panitia PMB')
/** Scholarships of the first wave, which have fewer places than candidates. */
const [waveCode, trackCode] = ['G1', 'BEA']

type Facts = { waveId: string; trackId: string; cbtId: string; interviewId: string; publishedAt: Date }

/**
 * Adds the selection of a track with scarce places: scores from a file, a run that was verified, adopted and published,
 * places passed on to the reserve list, a second run ready for adoption, and one with different places.
 */
export async function seedDemoSelection(services: Services): Promise<void> {
  const { db, clock } = services
  const { rows } = await sql<Facts>`
    SELECT w.id AS wave_id, t.id AS track_id, c.id AS cbt_id, i.id AS interview_id, p.publish_at AS published_at
    FROM waves w JOIN tracks t ON t.code = ${trackCode} JOIN tests c ON c.code = 'TPA' JOIN tests i ON i.code = 'WWC'
    JOIN result_publications p ON p.wave_id = w.id AND p.track_id = t.id WHERE w.code = ${waveCode}`.execute(db)
  const facts = theOnly(rows)
  const before = (hours: number) => at(services, new Date(facts.publishedAt.getTime() - hours * hourMs))
  await db.transaction().execute((tx) => runScript(tx, new URL('./quotas.sql', import.meta.url)))
  await importScores(before(40), facts)
  const scoreRun = await createScoreRun(before(30), office, {
    ...{ name: 'Nilai akhir Beasiswa', waveId: facts.waveId, trackId: facts.trackId },
    methods: [facts.cbtId, facts.interviewId].map((testId) => ({ testId, method: { kind: 'raw', factor: 1 } })),
  })
  const rules: ChosenRules = {
    method: 'deferred_acceptance',
    tracks: [{ trackId: facts.trackId, ties: 'next' }],
    ties: 'next',
    criteria: [
      {
        ...{ trackId: facts.trackId, programmeId: null },
        tests: [
          { testId: facts.cbtId, weight: 3, passMark: 45 },
          { testId: facts.interviewId, weight: 1, passMark: null },
        ],
      },
    ],
    reservePercent: 50,
  }
  const chosen = { waveId: facts.waveId, scoreRunId: scoreRun.id, rules }
  const adoption = before(20)
  const first = await createRun(adoption, office, { ...chosen, name: 'Seleksi Beasiswa' })
  await computeRun(adoption, first)
  await verifyRun(adoption, office, first)
  await requestAdoption(adoption, office, first, await versionOf(services, first))
  await adoptRun(adoption, office, first)
  await answerOffers(services, facts, first)

  const today = at(services, new Date(clock.now().getTime() - 2 * hourMs))
  const second = await copyRun(today, office, first, {
    name: 'Seleksi Beasiswa, putaran kedua',
    places: await morePlaces(services, facts, 1),
  })
  await computeRun(today, second)
  await verifyRun(today, office, second)
  const whatIf = await copyRun(today, office, second, {
    name: 'Andai tiga kursi lagi per prodi',
    places: await morePlaces(services, facts, 4),
  })
  await computeRun(today, whatIf)
}

/** Adds `more` places to the track in each programme with enough capacity. */
const morePlaces = async ({ db }: Services, { waveId, trackId }: Facts, more: number): Promise<ChangedPlaces[]> => {
  const { rows } = await sql<ChangedPlaces>`
    SELECT q.programme_detail_id, q.track_id, q.places + ${more}::int AS places FROM track_quotas q
    JOIN programme_details d ON d.id = q.programme_detail_id
    WHERE d.wave_id = ${waveId} AND q.track_id = ${trackId}
      AND d.capacity >= ${more} + (SELECT sum(o.places) FROM track_quotas o WHERE o.programme_detail_id = d.id)`.execute(
    db,
  )
  return rows
}

const versionOf = async ({ db }: Services, id: string) =>
  (await db.selectFrom('selectionRuns').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version

/** Scores of the computer-based test, in its system's file format. */
async function importScores(services: Services, { waveId, trackId, cbtId }: Facts) {
  const { rows } = await sql<{ line: string }>`
    SELECT r.code || ';' || a.full_name || ';' || replace(round((48 + 44 * (('x' || substr(md5(r.code), 1, 6))::bit(24)::int / 16777216.0)
      )::numeric, 1)::text, '.', ',') AS line
    FROM registrations r JOIN applicants a ON a.id = r.applicant_id
    JOIN test_seats s ON s.registration_id = r.id AND s.status = 'attended'
    WHERE r.wave_id = ${waveId} AND r.track_id = ${trackId} AND r.status = 'verified' ORDER BY r.code`.execute(
    services.db,
  )
  const bytes = Buffer.from(['Nomor peserta;Nama;Nilai TPA', ...rows.map(({ line }) => line), ''].join('\r\n'))
  const checked = { bytes, mime: 'text/csv', extension: 'csv' }
  const file = await storeBytes(services, office, 'hasil-cbt-beasiswa.csv', 'score_import', checked)
  const { id } = await startScoreImport(services, office, { waveId, testSessionId: undefined, file, format: 'csv' })
  const { version } = await checkScoreImport(services, office, id, {
    mapping: [
      { header: 'Nomor peserta', as: 'code' },
      { header: 'Nama', as: 'name' },
      { header: 'Nilai TPA', as: 'score', testId: cbtId },
    ],
    profile: 'CBT kampus',
  })
  await runScoreImport(services, office, id, { version, leavesOut: true })
}

/** One of three confirms, two decline, and their places are passed on. */
async function answerOffers(services: Services, { waveId, publishedAt }: Facts, runId: string) {
  const { db, clock } = services
  const accepted = await db
    .selectFrom('registrations')
    .select(['id', 'programmeId', 'classProgrammeId', 'trackId'])
    .where('selectionRunId', '=', runId)
    .where('decision', '=', 'accepted')
    .$narrowType<{ programmeId: NotNull; classProgrammeId: NotNull }>()
    .orderBy('code')
    .execute()
  const plan = await db
    .selectFrom('installmentPlans')
    .select('id')
    .where('code', '=', 'CICIL3')
    .executeTakeFirstOrThrow()
  const spanMs = clock.now().getTime() - publishedAt.getTime() - 12 * hourMs
  const reserved = await db.selectFrom('reservePlaces').select('programmeId').distinct().execute()
  const withReserve = new Set(reserved.map(({ programmeId }) => programmeId))
  let declined = 0
  for (const [index, { id, ...list }] of accepted.entries()) {
    const then = at(services, new Date(publishedAt.getTime() + 2 * hourMs + (spanMs * index) / accepted.length))
    if (declined < 2 && withReserve.has(list.programmeId)) {
      declined++
      await inTransaction(then, office, (context) =>
        steps.decline(context, id, { reason: 'Diterima di perguruan tinggi lain' }),
      )
      const place = { waveId, programmeId: list.programmeId, classProgrammeId: list.classProgrammeId }
      await passOnPlaces(then, { ...place, trackId: list.trackId })
    } else if (index % 3 === 1)
      await inTransaction(then, office, (context) =>
        steps.confirm(context, id, { installmentPlanId: plan.id, reason: 'Lewat telepon' }),
      )
  }
}
