import { type RawBuilder, sql } from 'kysely'
import type { RegistrationStatus } from '#domain/admissions/registration-status.ts'
import { universityCalendar } from '#domain/calendar.ts'
import { factsIn, type LetterAudience, type LetterPlaceholder } from '#domain/letters/letter-texts.ts'
import type { Language } from '#entities/define/language.ts'
import { dateTime, longDate, rupiah, weekdayDate } from '#locales/format.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isIntakePublished, isPublished, publicStatusSql } from '#server/platform/access/decision-scope.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { sentences } from '#server/platform/text.ts'

/** Facts of a registration that letters can contain. */
export type LetterSubject = {
  id: string
  code: string
  name: string
  birthPlace: string | null
  birthDate: string | null
  school: string | null
  choice: string | null
  programme: string | null
  faculty: string | null
  class: string
  track: string
  wave: string
  academicYear: string
  status: RegistrationStatus
  confirmationDueAt: Date | null
  paid: number
  npm: string | null
  session: { name: string; date: string; startTime: string; endTime: string; location: string } | null
  /** Whether results of the wave and track are published, even if this applicant has none. */
  published: boolean
  accepted: boolean
  submitted: boolean
}

/** A published acceptance that is still in force. */
const isAccepted = (now: Date) => sql<boolean>`(r.decision = 'accepted' AND r.accepted_programme_id IS NOT NULL
  AND r.status IN ('decided', 'confirmed', 'enrolled') AND ${isPublished(now)})`
const isStanding = sql<boolean>`(r.submitted_at IS NOT NULL AND r.status NOT IN ('draft', 'withdrawn', 'cancelled', 'expired'))`

/** SQL condition on `registrations r`: a letter may be issued, and an issued one still holds. */
export const allowsLetter = (audience: LetterAudience, now: Date) =>
  audience === 'accepted' ? isAccepted(now) : isStanding

/** Reads the facts for letters of the registrations the actor sees. */
export async function readSubjects(db: Db, actor: Actor, now: Date, condition: RawBuilder<unknown>) {
  const { rows } = await sql<LetterSubject>`
    SELECT r.id, r.code, a.full_name AS name, a.birth_place, a.birth_date, s.name AS school,
      (SELECT cp.name FROM registration_choices rc JOIN study_programmes cp ON cp.id = rc.programme_id
        WHERE rc.registration_id = r.id AND rc.position = 1) AS choice,
      p.name AS programme, f.name AS faculty, c.name AS class, t.name AS track, w.name AS wave, w.academic_year,
      ${publicStatusSql(now)} AS status,
      coalesce(r.offer_due_at, td.confirmation_due_at, w.confirmation_due_at) AS confirmation_due_at,
      coalesce((SELECT sum(b.paid) FROM bills b WHERE b.registration_id = r.id AND b.status <> 'cancelled'), 0)::bigint AS paid,
      (SELECT npm FROM students st WHERE st.registration_id = r.id) AS npm,
      (SELECT json_build_object('name', se.name, 'date', se.date, 'startTime', to_char(se.start_time, 'HH24.MI'),
          'endTime', to_char(se.end_time, 'HH24.MI'), 'location', se.location)
        FROM test_seats ts JOIN test_sessions se ON se.id = ts.test_session_id
        WHERE ts.registration_id = r.id AND ts.status IN ('booked', 'attended')) AS session,
      ${isIntakePublished(now)} AS published, ${isAccepted(now)} AS accepted, ${isStanding} AS submitted
    FROM registrations r
    JOIN applicants a ON a.id = r.applicant_id
    JOIN waves w ON w.id = r.wave_id
    JOIN tracks t ON t.id = r.track_id
    JOIN class_programmes c ON c.id = r.class_programme_id
    LEFT JOIN schools s ON s.id = a.school_id
    LEFT JOIN study_programmes p ON p.id = r.accepted_programme_id AND ${isAccepted(now)}
    LEFT JOIN faculties f ON f.id = p.faculty_id
    LEFT JOIN track_details td ON td.track_id = r.track_id AND td.wave_id = r.wave_id AND td.entry_level_id = r.entry_level_id
    WHERE ${condition} AND ${visibleTo(actor)}`.execute(db)
  return rows
}

/** A value on one line, without placeholder braces. */
const plain = (text: string | null | undefined) =>
  text
    ?.replace(/\{\{|\}\}/g, '')
    .replace(/\s+/g, ' ')
    .trim() || null

/** Current values of the placeholders in a language; null if the registration has none. */
export function presentFacts(subject: LetterSubject, language: Language): Record<string, string | null> {
  const t = sentences(language)
  const { session, confirmationDueAt } = subject
  return {
    name: plain(subject.name),
    code: subject.code,
    birth: plain(
      [subject.birthPlace, subject.birthDate && longDate(subject.birthDate, language)].filter(Boolean).join(', '),
    ),
    school: plain(subject.school),
    choice: plain(subject.choice),
    programme: plain(subject.programme),
    faculty: plain(subject.faculty),
    class: plain(subject.class),
    track: plain(subject.track),
    wave: plain(subject.wave),
    academicYear: plain(subject.academicYear),
    confirmation: !subject.accepted
      ? null
      : subject.status !== 'decided'
        ? t('offers:letter.confirmed')
        : confirmationDueAt
          ? t('offers:letter.confirmBefore', { due: dateTime(confirmationDueAt, language) })
          : t('offers:letter.confirm'),
    paid: subject.paid > 0 ? rupiah(subject.paid) : null,
    npm: subject.npm,
    session: plain(session?.name),
    testDate: session && `${weekdayDate(session.date, language)}, ${session.startTime}–${session.endTime}`,
    testPlace: plain(session?.location),
  }
}

export type LetterFacts = Record<string, string>

/**
 * The facts to freeze: the text's placeholders, and name, code and programme for the public page. `missing` lists
 * placeholders without a value.
 */
export function factsFor(
  subject: LetterSubject,
  language: Language,
  text: string,
): { facts: LetterFacts } | { missing: LetterPlaceholder[] } {
  const values = presentFacts(subject, language)
  const needed = factsIn(text)
  const missing = needed.filter((name) => !values[name])
  if (missing.length > 0) return { missing }
  const frozenNames = ['name', 'code', ...(values.programme ? ['programme'] : ['choice']), ...needed]
  return {
    facts: Object.fromEntries(
      [...new Set(frozenNames)].sort().flatMap((name) => (values[name] ? [[name, values[name]]] : [])),
    ),
  }
}

const romanMonths = ['I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X', 'XI', 'XII'] as const

/** Date tokens for letter numbers issued at this time. */
export function dateTokens(now: Date) {
  const [year = '', month = ''] = universityCalendar().dayOf(now).split('-')
  return { YYYY: year, YY: year.slice(2), month: romanMonths[Number(month) - 1]! }
}
