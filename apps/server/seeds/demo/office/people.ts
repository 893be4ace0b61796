import { sql } from 'kysely'
import { shiftDay, universityCalendar } from '#domain/calendar.ts'
import type { ReviewAction } from '#domain/documents/document-status.ts'
import { actorOf, applicantOf, at, dayMs, hourMs } from '#seeds/demo/actors.ts'
import { runScript } from '#seeds/demo/fill/run-script.ts'
import { requestDocument } from '#server/modules/admissions/documents/request-document.ts'
import { reviewDocument } from '#server/modules/admissions/documents/review-document.ts'
import { changeProgramme } from '#server/modules/admissions/programme-change/change-programme.ts'
import type { ChangeTarget } from '#server/modules/admissions/programme-change/facts.ts'
import { previewChange } from '#server/modules/admissions/programme-change/preview-change.ts'
import { askProgrammeChange, refuseRequest } from '#server/modules/admissions/programme-change/requests.ts'
import { letterBatchJob } from '#server/modules/letters/batches/letter-batch.job.ts'
import { startBatch } from '#server/modules/letters/batches/start-batch.ts'
import { issueLetter } from '#server/modules/letters/issue-letter.ts'
import type { Services } from '#server/platform/services.ts'

const office = actorOf('Panitia PMB')

/**
 * Adds the admission office's work with applicants: reviews, letters, programme change requests, licences, notes and
 * messages.
 */
export async function seedDemoPeople(services: Services): Promise<void> {
  const { db, clock } = services
  await db
    .transaction()
    .execute((tx) => runScript(tx, new URL('./people.sql', import.meta.url), { now: clock.now().toISOString() }))
  await reviewDocuments(services)
  await giveLetters(services)
  await askForProgrammes(services)
}

const reviews: readonly ReviewAction[] = [
  ...['approve', 'approve', 'reject', 'approve', 'defer', 'approve', 'waive', 'approve', 'defer', 'reject', 'waive'],
] as ReviewAction[]

type Document = { id: string; registrationId: string; version: number }

async function reviewDocuments(services: Services) {
  const { db, clock } = services
  const now = clock.now()
  const until = shiftDay(universityCalendar().dayOf(now), 30)
  const { rows: uploaded } = await sql<Document>`
    SELECT DISTINCT ON (r.id) d.id, d.registration_id, d.version FROM documents d
    JOIN registrations r ON r.id = d.registration_id AND r.status = 'paid' JOIN waves w ON w.id = r.wave_id AND w.code = 'G2'
    WHERE d.status = 'uploaded' AND d.required ORDER BY r.id, d.sort_order LIMIT 40`.execute(db)
  const { rows: deferrable } = await sql<Document>`
    SELECT d.id, d.registration_id, d.version FROM documents d
    JOIN registrations r ON r.id = d.registration_id AND r.status = 'confirmed' JOIN waves w ON w.id = r.wave_id AND w.code = 'G1'
    WHERE d.status = 'empty' AND d.required AND d.may_defer ORDER BY r.code DESC, d.sort_order LIMIT 4`.execute(db)
  for (const [index, action] of reviews.entries()) {
    const document = (action === 'defer' ? deferrable : uploaded).pop()
    if (!document) continue
    const { id, version } = document
    const reason = action === 'reject' ? 'blurred' : action === 'waive' ? 'Sudah diverifikasi di sekolah' : undefined
    await reviewDocument(at(services, new Date(now.getTime() - (index + 1) * hourMs)), office, id, action, {
      ...{ version, reason },
      ...(action === 'defer' && { until, reason: 'Dokumen asli masih di sekolah' }),
    })
  }
  for (const { registrationId } of uploaded.slice(0, 2))
    await requestDocument(services, office, registrationId, {
      ...{
        name: 'Surat keterangan beda nama',
        required: true,
        acceptedTypes: ['pdf', 'jpg'],
        maxMb: 5,
        dueOn: null,
      },
    })
}

async function giveLetters(services: Services) {
  const { db, clock } = services
  const kinds = await db.selectFrom('letterKinds').select(['id', 'code']).where('active', '=', true).execute()
  const kindOf = (code: string) => kinds.find((kind) => kind.code === code)?.id
  const [acceptance, registration] = [kindOf('acceptance'), kindOf('registration')]
  const { rows } = await sql<{ id: string; status: string; waveId: string; trackId: string; programmeId: string }>`
    SELECT r.id, r.status, r.wave_id, r.track_id, r.programme_id FROM registrations r JOIN waves w ON w.id = r.wave_id AND w.code = 'G1'
    WHERE r.status IN ('confirmed', 'enrolled') ORDER BY r.code DESC LIMIT 12`.execute(db)
  for (const [index, { id }] of rows.slice(0, 8).entries()) {
    const kind = index % 2 === 0 ? acceptance : registration
    if (kind)
      await issueLetter(at(services, new Date(clock.now().getTime() - index * 5 * hourMs)), office, {
        registrationId: id,
        kindId: kind,
        language: 'id',
      })
  }
  const [first] = rows
  if (!acceptance || !first) return
  const then = at(services, new Date(clock.now().getTime() - dayMs))
  const { waveId, trackId, programmeId } = first
  const batchId = await startBatch(then, office, {
    ...{ kindId: acceptance, language: 'id', waveId, trackId, programmeId, stage: null },
  })
  await letterBatchJob.run(then, { batchId })
}

/** Changes a registration's programme as the office does at the desk; returns false if the change is not possible. */
async function moveToProgramme(services: Services, id: string, target: ChangeTarget): Promise<boolean> {
  const { problems, seen } = await previewChange(services, office, id, target, 'id')
  if (problems.length > 0) return false
  await changeProgramme(services, office, id, { ...target, reason: 'Diminta orang tua sebelum kuliah dimulai.', seen })
  return true
}

async function askForProgrammes(services: Services) {
  const { db, clock } = services
  await sql`INSERT INTO settings (key, value) VALUES ('programmeChangeRequests', 'true'), ('documentFollowDays', '240')
    ON CONFLICT (key) DO NOTHING`.execute(db)
  const { rows } = await sql<{ id: string; accountId: string; programmeId: string; classProgrammeId: string }>`
    SELECT r.id, r.account_id, p.id AS programme_id, r.class_programme_id FROM registrations r
    JOIN waves w ON w.id = r.wave_id AND w.code = 'G1' JOIN tracks t ON t.id = r.track_id AND t.code = 'REG'
    CROSS JOIN LATERAL (SELECT d.programme_id AS id FROM programme_details d
      WHERE d.wave_id = r.wave_id AND d.class_programme_id = r.class_programme_id AND d.programme_id <> r.programme_id
        AND NOT EXISTS (SELECT FROM track_quotas q WHERE q.programme_detail_id = d.id)
      ORDER BY d.capacity DESC, d.id LIMIT 1) p
    WHERE r.status = 'confirmed' ORDER BY r.code DESC LIMIT 12`.execute(db)
  let requestCount = 0
  let isOneMoved = false
  for (const { id, accountId, ...target } of rows) {
    if (requestCount === 4) return
    if (!isOneMoved) {
      isOneMoved = await moveToProgramme(services, id, target)
      continue
    }
    const person = applicantOf({ accountId })
    const then = at(services, new Date(clock.now().getTime() - (requestCount + 1) * 6 * hourMs))
    const { problems, seen } = await previewChange(then, person, id, target, 'id')
    if (problems.length > 0) continue
    const reason = 'Lebih sesuai dengan minat saya setelah mengikuti pekan pengenalan.'
    const request = await askProgrammeChange(then, person, id, { ...target, reason, seen })
    if (requestCount++ === 3)
      await refuseRequest(services, office, request.id, 'Kuota kelas tujuan sudah disiapkan untuk jalur lain.')
  }
}
