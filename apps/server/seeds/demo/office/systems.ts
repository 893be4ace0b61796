import { sql } from 'kysely'
import { actorOf, at, dayMs } from '#seeds/demo/actors.ts'
import { demoId } from '#seeds/demo/university.ts'
import { checkInvariantsJob } from '#server/modules/ops/check-invariants.job.ts'
import { createMail } from '#server/modules/report-mail/report-mails.ts'
import { createToken } from '#server/modules/students/campus/campus-tokens.ts'
import { checkConnection } from '#server/modules/students/feeder/check-connection.ts'
import { saveConnection } from '#server/modules/students/feeder/save-connection.ts'
import { sendStudents } from '#server/modules/students/feeder/send-students.ts'
import { sendToFeederJob } from '#server/modules/students/feeder/send-to-feeder.job.ts'
import type { Services } from '#server/platform/services.ts'

const administrator = actorOf('Administrator')
const leader = actorOf('Pimpinan')

/**
 * Adds connections and scheduled work: the campus system, the ministry's register, scheduled reports, the check of the
 * books.
 */
export async function seedDemoSystems(services: Services): Promise<void> {
  await connectCampus(services)
  await mailReports(services)
  await sendToRegister(services)
  // The job checks the rows of all seeds, and no visitor has to wait for it.
  await services.jobs.enqueue(services.db, checkInvariantsJob, {})
}

async function connectCampus(services: Services) {
  const token = (name: string, withIdentity: boolean, programmeIds: readonly string[] = []) =>
    createToken(at(services, new Date(services.clock.now().getTime() - 9 * dayMs)), administrator, {
      ...{ name, withIdentity, programmeIds },
    })
  await token('SIAKAD contoh', true)
  await token('Perpustakaan contoh', false)
}

async function mailReports(services: Services) {
  const mail = { format: 'xlsx' as const, skipsEmpty: false, lastDays: null, question: '', columns: [], hour: 7 }
  const recipientIds = [leader.accountId]
  await createMail(services, leader, {
    ...mail,
    ...{
      name: 'Pendaftar per prodi, tiap Senin',
      report: 'pendaftaran-prodi',
      rhythm: 'weekly',
      weekday: 1,
      monthDay: null,
    },
    recipientIds,
  })
  await createMail(services, actorOf('Keuangan'), {
    ...mail,
    ...{ name: 'Piutang, tiap pagi', report: 'piutang-va', rhythm: 'daily', weekday: null, monthDay: null },
    recipientIds: [demoId('account:keuangan@demo.test'), leader.accountId],
  })
}

/**
 * A dozen students are in the register, three were refused because it has their NIK under another name, and others are
 * ready.
 */
async function sendToRegister(services: Services) {
  const { db } = services
  // Two programmes lack their code and a third of the districts lack a region, so that the list of gaps is not empty.
  await sql`UPDATE study_programmes SET pddikti_id = md5('demo-pddikti-' || code)::uuid::text
    WHERE pddikti_id IS NULL AND code NOT IN ('TK', 'RM')`.execute(db)
  await sql`INSERT INTO feeder_regions (code, name, region_code)
    SELECT '99' || lpad((row_number() OVER (ORDER BY d.code))::text, 4, '0'), left(d.name, 100), d.code
    FROM districts d WHERE left(md5(d.code), 1) < 'b' AND d.id IN (SELECT a.district_id FROM students s
      JOIN registrations r ON r.id = s.registration_id JOIN applicants a ON a.id = r.applicant_id) ON CONFLICT DO NOTHING`.execute(
    db,
  )
  await saveConnection(services, administrator, {
    ...{ version: 0, target: 'demo', address: null, username: 'operator-contoh' },
  })
  await checkConnection(services, administrator)
  const { rows } = await sql<{ id: string; nik: string; npm: string }>`
    SELECT r.id, a.nik, s.npm FROM students s JOIN registrations r ON r.id = s.registration_id AND r.status = 'enrolled'
    JOIN applicants a ON a.id = r.applicant_id JOIN districts d ON d.id = a.district_id
    JOIN feeder_regions f ON f.region_code = d.code JOIN study_programmes p ON p.id = s.programme_id AND p.pddikti_id IS NOT NULL
    JOIN enrolment_data e ON e.registration_id = r.id
    ORDER BY s.issued_at DESC, r.id LIMIT 15`.execute(db)
  for (const { nik } of rows.slice(0, 3))
    await db
      .insertInto('feederDemoStudents')
      .values({
        record: JSON.stringify({
          nik,
          nama_mahasiswa: 'Orang Lain Contoh',
          tanggal_lahir: '1999-09-09',
          nama_ibu_kandung: 'Ibu Lain',
        }),
      })
      .execute()
  await sendStudents(
    services,
    administrator,
    rows.map(({ id }) => id),
  )
  await sendToFeederJob.run(services, {})
}
