import { sql } from 'kysely'
import type { TestApp } from '#server-test/test-app.ts'

/**
 * Adds data for student reports that the demo lacks: jackets, licences, reviews, absences, numbers withdrawn or never
 * issued, printed cards, and offers without a place.
 */
export async function studentReportRows({ owner, clock }: TestApp, by: string) {
  const now = clock.now()
  await sql`WITH delivery AS (INSERT INTO jacket_deliveries (supplier, reference, received_on, created_at, created_by)
      VALUES ('Konveksi Jaya', 'SJ-1', ${now}::timestamptz::date, ${now}::timestamptz, ${by}::uuid) RETURNING id)
    INSERT INTO jacket_movements (kind, size, quantity, delivery_id, at, by_account_id)
    SELECT 'delivery', size, 3, delivery.id, ${now}::timestamptz, ${by}::uuid FROM jacket_stock, delivery`.execute(
    owner,
  )
  await sql`WITH given AS (INSERT INTO jacket_hand_outs (registration_id, size, handed_at, handed_by, note, ended_at, ended_as, ended_reason, usable)
      SELECT id, 'M', ${now}::timestamptz, ${by}::uuid, 'tanpa tanda tangan', back, CASE WHEN back IS NOT NULL THEN 'returned' END,
        CASE WHEN back IS NOT NULL THEN 'keluar' END, CASE WHEN back IS NOT NULL THEN true END
      FROM (SELECT id, CASE WHEN row_number() OVER (ORDER BY code) = 3 THEN ${now}::timestamptz END AS back
        FROM registrations WHERE status = 'enrolled' ORDER BY code LIMIT 3) r RETURNING id, ended_at)
    INSERT INTO jacket_movements (kind, size, quantity, hand_out_id, at, by_account_id)
    SELECT 'hand_out', 'M', -1, id, ${now}::timestamptz, ${by}::uuid FROM given
    UNION ALL SELECT 'return', 'M', 1, id, ${now}::timestamptz, ${by}::uuid FROM given WHERE ended_at IS NOT NULL`.execute(
    owner,
  )
  await sql`INSERT INTO driving_licences (account_id, drives, class, number, expires_on)
    SELECT account_id, true, CASE WHEN n % 2 = 0 THEN 'A' ELSE 'C' END, lpad(n::text, 12, '0'), ${now}::timestamptz::date + CASE WHEN n < 4 THEN -9 ELSE 400 END
    FROM (SELECT DISTINCT ON (account_id) account_id, row_number() OVER (ORDER BY account_id) AS n FROM registrations
      WHERE submitted_at IS NOT NULL AND closed_at IS NULL) r WHERE n <= 20 ON CONFLICT DO NOTHING`.execute(owner)
  await sql`INSERT INTO document_reviews (document_id, action, reviewer_id, reviewed_at, version, before)
    SELECT d.id, CASE d.status WHEN 'rejected' THEN 'reject' ELSE 'approve' END, ${by}::uuid, ${now}::timestamptz - n % 3 * interval '1 day', 1, '{}'
    FROM (SELECT id, status, row_number() OVER (ORDER BY id) AS n FROM documents WHERE status IN ('approved', 'rejected')
      ORDER BY id LIMIT 30) d`.execute(owner)
  await sql`UPDATE test_seats SET status = 'absent', arrived_at = NULL, left_at = NULL WHERE id IN (
    SELECT s.id FROM test_seats s JOIN registrations r ON r.id = s.registration_id LEFT JOIN test_scores x ON x.registration_id = r.id
    JOIN test_sessions ts ON ts.id = s.test_session_id
    WHERE s.status IN ('booked', 'attended') AND ts.date < ${now}::timestamptz::date ORDER BY x.registration_id IS NOT NULL, s.id LIMIT 2)`.execute(
    owner,
  )
  await sql`DELETE FROM test_scores x USING test_seats s WHERE s.registration_id = x.registration_id AND s.status = 'absent'`.execute(
    owner,
  )
  await sql`UPDATE documents d SET status = k.status FROM (
      SELECT d.id, CASE WHEN row_number() OVER (ORDER BY d.id) = 1 THEN 'deferred' ELSE 'waived' END AS status
      FROM documents d JOIN registrations r ON r.id = d.registration_id
      WHERE d.required AND d.status = 'empty' AND r.submitted_at IS NOT NULL AND r.closed_at IS NULL ORDER BY d.id LIMIT 2) k
    WHERE k.id = d.id`.execute(owner)
  await sql`UPDATE students s SET number_scope = 'NPM#', number_value = n * 2 FROM (
    SELECT id, row_number() OVER (ORDER BY npm) AS n FROM students ORDER BY npm LIMIT 3) k WHERE k.id = s.id`.execute(
    owner,
  )
  await sql`INSERT INTO number_counters (kind, scope, value) VALUES ('student', 'NPM#', 7)`.execute(owner)
  await sql`INSERT INTO withdrawn_student_numbers (npm, registration_id, programme_id, issued_at, withdrawn_at, withdrawn_by, reason)
    SELECT 'TARIK-1', registration_id, programme_id, ${now}::timestamptz, ${now}::timestamptz, ${by}::uuid, 'Salah prodi.' FROM students ORDER BY npm LIMIT 1`.execute(
    owner,
  )
  await sql`WITH printing AS (INSERT INTO student_card_prints (layout, printed_at, printed_by) VALUES ('card', ${now}::timestamptz, ${by}::uuid) RETURNING id)
    INSERT INTO student_cards (npm, copy, registration_id, print_id)
    SELECT s.npm, 1, s.registration_id, printing.id FROM printing, (SELECT * FROM students ORDER BY npm LIMIT 2) s`.execute(
    owner,
  )
  await sql`WITH ended AS (UPDATE registrations r SET closed_from = 'decided', closed_at = ${now}::timestamptz, status = k.status FROM (
      SELECT r.id, CASE row_number() OVER (ORDER BY r.code) WHEN 1 THEN 'withdrawn' ELSE 'expired' END AS status
      FROM registrations r JOIN result_publications pub ON pub.wave_id = r.wave_id AND pub.track_id = r.track_id AND pub.number = coalesce(r.published_after, 0) + 1 AND pub.publish_at <= ${now}::timestamptz
      WHERE r.status = 'decided' AND r.decision = 'accepted' ORDER BY r.code LIMIT 2) k
    WHERE k.id = r.id RETURNING r.id, r.status)
    INSERT INTO registration_steps (registration_id, step, at) SELECT id, status, ${now}::timestamptz FROM ended`.execute(
    owner,
  )
}
