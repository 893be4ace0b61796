import { sql } from 'kysely'
import type { numberEvents } from '#domain/students/endpoints.ts'
import { getRegistration } from '#server/modules/admissions/registrations/load-registrations.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

type Event = {
  event: (typeof numberEvents)[number]
  npm: string
  at: Date
  by: string | null
  reason: string | null
  copy: number | null
  printId: string | null
}

/**
 * A confirmed applicant or student with the history of numbers and cards; 404 for other statuses or if the actor may
 * not see it.
 */
export async function showStudent({ db, clock }: Services, actor: Actor, id: string) {
  const { row, facts } = await getRegistration(db, actor, id, clock.now())
  if (row.status !== 'confirmed' && row.status !== 'enrolled') throw notFound('registration')
  const { rows: history } = await sql<Event>`
    SELECT e.event, e.npm, e.at, a.name AS by, e.reason, e.copy, e.print_id AS "printId" FROM (
      SELECT 'issued' AS event, npm, issued_at AS at, issued_by AS account_id, NULL AS reason, NULL::int AS copy, NULL::uuid AS print_id
        FROM students WHERE registration_id = ${id}
      UNION ALL SELECT 'issued', npm, issued_at, issued_by, NULL, NULL, NULL
        FROM withdrawn_student_numbers WHERE registration_id = ${id}
      UNION ALL SELECT 'withdrawn', npm, withdrawn_at, withdrawn_by, reason, NULL, NULL
        FROM withdrawn_student_numbers WHERE registration_id = ${id}
      UNION ALL SELECT 'printed', c.npm, p.printed_at, p.printed_by, p.reason, c.copy, p.id
        FROM student_cards c JOIN student_card_prints p ON p.id = c.print_id WHERE c.registration_id = ${id}) e
    LEFT JOIN accounts a ON a.id = e.account_id
    ORDER BY e.at DESC, e.npm DESC`.execute(db)
  const issued = history.find(({ event, npm }) => event === 'issued' && npm === facts.studentNumber)
  return {
    registrationId: id,
    code: row.code,
    name: row.name,
    programme: row.acceptedProgramme?.name ?? row.programme?.name ?? '',
    classProgramme: row.classProgramme.name,
    wave: `${row.wave.name} ${row.wave.academicYear}`,
    status: row.status,
    npm: facts.studentNumber,
    issuedAt: issued?.at ?? null,
    untilNumber: facts.untilNumber ?? 0,
    hasPhoto: row.photoFileId !== null,
    history,
  }
}
