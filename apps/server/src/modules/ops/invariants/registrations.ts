import { type RawBuilder, sql } from 'kysely'
import type { Impossible, InvariantsOf } from './invariant.ts'

/** Selects rows about a registration `r`. */
const registration = (stored: RawBuilder<unknown>, derived: RawBuilder<unknown>, rest: RawBuilder<unknown>) =>
  sql<Impossible>`
  SELECT 'registration' AS subject_type, r.id::text, r.code AS label, (${stored})::text AS stored,
    (${derived})::text AS derived, '/pendaftaran/' || r.id AS path
  FROM registrations r
  ${rest}`

/** No allocation of the bill was reversed: a reversal by the bank does not cost applicants their place. */
const noReversal = sql`NOT EXISTS (SELECT FROM allocations a WHERE a.bill_id = b.id AND a.amount < 0)`

/** The fee was settled, then money left the bill while the registration had ended, so a new bill asks for it. */
const noWithdrawal = sql`NOT EXISTS (SELECT FROM allocations a JOIN bills o ON o.id = a.bill_id
  WHERE o.registration_id = b.registration_id AND o.kind = b.kind AND a.amount < 0 AND a.created_at >= r.paid_at)`

export const registrationInvariants: InvariantsOf<'registrations'> = {
  /** A registration past the fee step does not owe the fee. */
  'registration-fee': () =>
    registration(
      sql`r.status`,
      sql`b.status`,
      sql`JOIN bills b ON b.registration_id = r.id AND b.kind = 'registration_fee'
        WHERE r.status IN ('paid', 'verified', 'decided', 'confirmed', 'enrolled') AND b.status IN ('open', 'partly_paid')
          AND ${noReversal} AND ${noWithdrawal}`,
    ),

  /** A closed registration has no unpaid bill. */
  'registration-closed': () =>
    registration(
      sql`r.status`,
      sql`b.status`,
      sql`JOIN bills b ON b.registration_id = r.id
        WHERE r.status IN ('withdrawn', 'cancelled', 'expired') AND b.status IN ('open', 'partly_paid')`,
    ),

  /** Enrolled registrations have a student number; of the others, only those of students who have left. */
  'registration-student': () =>
    registration(
      sql`r.status`,
      sql`s.npm`,
      sql`LEFT JOIN students s ON s.registration_id = r.id
        WHERE (r.status = 'enrolled' OR (r.status = 'cancelled' AND r.closed_from = 'enrolled')) <> (s.id IS NOT NULL)`,
    ),

  /**
   * A student number was unlocked by payment under the rule stored at its issue, so a stricter rule later breaks no
   * number. Older numbers follow the current rule.
   */
  'student-unlock': ({ settings }) =>
    registration(
      sql`s.npm`,
      sql`b.status`,
      sql`JOIN students s ON s.registration_id = r.id
        LEFT JOIN bills b ON b.registration_id = r.id AND b.kind = 're_registration' AND b.status <> 'cancelled'
        LEFT JOIN LATERAL (SELECT i.amount, i.paid FROM installments i WHERE i.bill_id = b.id ORDER BY i.position LIMIT 1) i ON true
        WHERE coalesce(b.status IN ('open', 'partly_paid'), true) AND ${noReversal}
          AND NOT CASE coalesce(s.unlock_rule, ${settings.enrolmentUnlock})
            WHEN 'none' THEN true
            WHEN 'first-instalment' THEN coalesce(i.paid >= i.amount, false)
            WHEN 'share' THEN coalesce(b.paid >= (2 * b.total * coalesce(s.unlock_share, ${settings.enrolmentUnlockShare}) + 100) / 200, false)
            ELSE EXISTS (SELECT FROM approval_requests q JOIN bills o ON o.id = q.bill_id
              WHERE o.registration_id = r.id AND o.kind = 're_registration' AND q.kind = 'promise'
                AND q.status = 'approved' AND q.decided_at <= s.issued_at) END`,
    ),

  /** A student number belongs to the accepted programme and the account of its registration. */
  'student-programme': () =>
    registration(
      sql`p.name`,
      sql`o.name`,
      sql`JOIN students s ON s.registration_id = r.id JOIN study_programmes p ON p.id = s.programme_id
        LEFT JOIN study_programmes o ON o.id = r.accepted_programme_id
        WHERE s.programme_id IS DISTINCT FROM r.accepted_programme_id OR s.account_id <> r.account_id`,
    ),

  /** No student has a withdrawn number, nor the running number of one. */
  'student-number-again': () =>
    registration(
      sql`s.npm`,
      sql`w.withdrawn_at`,
      sql`JOIN students s ON s.registration_id = r.id JOIN withdrawn_student_numbers w
        ON w.npm = s.npm OR (w.number_scope, w.number_value) = (s.number_scope, s.number_value)`,
    ),

  /** A card's copies are numbered without a gap, under a student number the registration had when they were printed. */
  'student-card': () =>
    registration(
      sql`c.last`,
      sql`c.many`,
      sql`JOIN (SELECT k.registration_id, max(k.copy) AS last, count(DISTINCT k.copy) FILTER (WHERE n.npm IS NOT NULL
            AND (w.withdrawn_at IS NULL OR p.printed_at <= w.withdrawn_at)) AS many
          FROM student_cards k JOIN student_card_prints p ON p.id = k.print_id
            LEFT JOIN every_student_number n ON n.npm = k.npm AND n.registration_id = k.registration_id
            LEFT JOIN withdrawn_student_numbers w ON w.npm = k.npm
          GROUP BY k.registration_id, k.npm) c ON c.registration_id = r.id
        WHERE c.last <> c.many`,
    ),

  /** The history has a registration's current steps, with the times and the publication from its columns. */
  'registration-steps': () =>
    registration(
      sql`concat_ws(' ', k.step, k.at, k.published_after)`,
      sql`concat_ws(' ', h.step, h.at, h.published_after)`,
      sql`JOIN (standing_registration_steps k FULL JOIN (SELECT registration_id, step, at, published_after FROM registration_steps
          WHERE undone_at IS NULL AND step <> 'moved') h USING (registration_id, step)) ON registration_id = r.id
        WHERE (k.at, k.published_after) IS DISTINCT FROM (h.at, h.published_after)`,
    ),

  /**
   * Within a programme and entry level, no verified candidate waits on a reserve list while a lower-ranked one was
   * offered a place. Candidates who became undecided again had another offer in between.
   */
  'reserve-order': () => sql<Impossible>`
    SELECT 'reserve-place' AS subject_type, p.id::text, r.code || ' · ' || s.name AS label, p.rank::text AS stored,
      max(o.rank)::text AS derived, '/seleksi/reserve' AS path
    FROM reserve_places p
    JOIN registrations r ON r.id = p.registration_id
    JOIN study_programmes s ON s.id = p.programme_id
    JOIN reserve_places o ON o.selection_run_id = p.selection_run_id AND o.programme_id = p.programme_id
      AND o.class_programme_id = p.class_programme_id AND o.track_id IS NOT DISTINCT FROM p.track_id
    JOIN registrations n ON n.id = o.registration_id
    WHERE p.status = 'waiting' AND o.status IN ('offered', 'taken') AND o.rank > p.rank AND r.status = 'verified'
      AND r.class_programme_id = p.class_programme_id AND r.entry_level_id = n.entry_level_id
      AND (r.track_id = n.track_id OR NOT EXISTS (SELECT FROM track_quotas k JOIN programme_details d ON d.id = k.programme_detail_id
        WHERE d.wave_id = r.wave_id AND d.programme_id = p.programme_id AND d.class_programme_id = p.class_programme_id
          AND d.entry_level_id = r.entry_level_id))
      AND r.verified_at <= o.offered_at
      AND NOT EXISTS (SELECT FROM registration_steps h WHERE h.registration_id = r.id
        AND h.step IN ('accepted', 'not_accepted', 'verified') AND h.undone_at >= o.offered_at)
    GROUP BY p.id, p.rank, r.code, s.name`,

  /** An offered reserve place awaits the answer of an accepted applicant; a taken one was confirmed. */
  'reserve-offer': () => sql<Impossible>`
    SELECT 'reserve-place' AS subject_type, p.id::text, r.code || ' · ' || s.name AS label, p.status AS stored,
      r.status AS derived, '/seleksi/reserve' AS path
    FROM reserve_places p JOIN registrations r ON r.id = p.registration_id
    JOIN study_programmes s ON s.id = p.programme_id
    WHERE p.status = 'offered' AND NOT (r.status = 'decided' AND r.decision = 'accepted')
      OR p.status = 'taken' AND r.status NOT IN ('confirmed', 'enrolled')`,
}
