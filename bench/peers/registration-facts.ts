/** Everything a page shows about a registration, in one statement; `$1` is the time, and `condition` may use `$2`. */
export const registrationFacts = (condition: string) => `
  SELECT r.id, r.code, r.status, r.closed_from, r.version, r.applicant_id, r.account_id, r.donation_amount, r.referral_code,
    r.decision, r.decision_reason, r.documents_state, r.installment_plan_id, r.created_at, r.submitted_at, r.paid_at,
    r.verified_at, r.decided_at, r.confirmed_at, r.enrolled_at, r.closed_at, r.programme_id,
    a.full_name AS name, a.phone, a.photo_file_id, u.email, s.name AS school_name, d.name AS decided_by,
    w.code AS wave_code, w.name AS wave, w.academic_year, t.code AS track_code, t.name AS track, t.kind, t.has_test,
    t.max_choices, t.asks_donation, e.code AS level_code, e.name AS level, c.code AS class_code, c.name AS class,
    p.code AS programme_code, p.name AS programme, ap.code AS accepted_code, ap.name AS accepted,
    choices.list AS choices, documents.list AS documents, bills.list AS bills,
    CASE WHEN t.asks_donation THEN (SELECT json_agg(n) FROM (SELECT programme_id, track_id, required, minimum_amount,
        suggested_amounts FROM donations WHERE active AND wave_id = r.wave_id AND (track_id IS NULL OR track_id = r.track_id)
        AND (programme_id IS NULL OR programme_id = r.programme_id)) n) END AS donations,
    coalesce(td.opens_at, w.opens_at) AS opens_at, coalesce(td.closes_at, w.closes_at) AS closes_at, td.payment_due_at,
    coalesce(td.results_at, w.results_at) AS results_at,
    coalesce(td.confirmation_due_at, w.confirmation_due_at) AS confirmation_due_at, td.quota,
    CASE WHEN td.quota IS NOT NULL AND r.status = 'draft' THEN (SELECT count(*)::int FROM registrations o
      WHERE o.wave_id = r.wave_id AND o.track_id = r.track_id AND o.entry_level_id = r.entry_level_id
        AND o.status IN ('submitted', 'paid', 'verified', 'decided', 'confirmed', 'enrolled')) END AS quota_taken,
    pub.publish_at, coalesce(pub.publish_at <= $1, false) AS published, st.npm,
    (SELECT row_to_json(seat) FROM (SELECT ts.id, ts.status, se.id AS session_id, se.name, se.date, se.start_time, se.end_time,
        se.mode, se.location FROM test_seats ts JOIN test_sessions se ON se.id = ts.test_session_id
        WHERE ts.registration_id = r.id AND ts.status <> 'released') seat) AS seat,
    CASE WHEN t.has_test THEN (SELECT count(*)::int FROM test_sessions se WHERE se.active AND se.wave_id = r.wave_id
      AND (se.track_id IS NULL OR se.track_id = r.track_id)) END AS test_sessions,
    CASE WHEN r.closed_at IS NOT NULL THEN (SELECT l.reason FROM audit_log l WHERE l.subject_type = 'registration'
      AND l.subject_id = r.id::text AND l.action IN ('registration.withdraw', 'registration.cancel')
      ORDER BY l.id DESC LIMIT 1) END AS closed_reason
  FROM registrations r
  JOIN applicants a ON a.id = r.applicant_id
  JOIN accounts u ON u.id = r.account_id
  JOIN waves w ON w.id = r.wave_id
  JOIN tracks t ON t.id = r.track_id
  JOIN entry_levels e ON e.id = r.entry_level_id
  JOIN class_programmes c ON c.id = r.class_programme_id
  LEFT JOIN schools s ON s.id = a.school_id
  LEFT JOIN study_programmes p ON p.id = r.programme_id
  LEFT JOIN study_programmes ap ON ap.id = r.accepted_programme_id
  LEFT JOIN accounts d ON d.id = r.decided_by
  LEFT JOIN students st ON st.registration_id = r.id
  LEFT JOIN track_details td ON td.track_id = r.track_id AND td.wave_id = r.wave_id AND td.entry_level_id = r.entry_level_id
  LEFT JOIN result_publications pub ON pub.wave_id = r.wave_id AND pub.track_id = r.track_id AND pub.number = coalesce(r.published_after, 0) + 1
  LEFT JOIN LATERAL (SELECT json_agg(x ORDER BY x.position) AS list FROM (
      SELECT cp.id, cp.code, cp.name, rc.position, f.name AS faculty, coalesce(pd.open AND pd.active AND cp.active, false) AS offered,
        CASE WHEN r.status = 'draft' THEN pd.capacity - (SELECT count(*)::int FROM registrations o WHERE o.wave_id = r.wave_id
          AND o.programme_id = rc.programme_id AND o.status IN ('decided', 'confirmed', 'enrolled') AND o.decision = 'accepted'
          AND o.class_programme_id = r.class_programme_id AND o.entry_level_id = r.entry_level_id) END AS places_left
      FROM registration_choices rc JOIN study_programmes cp ON cp.id = rc.programme_id JOIN faculties f ON f.id = cp.faculty_id
      LEFT JOIN programme_details pd ON pd.programme_id = rc.programme_id AND pd.wave_id = r.wave_id
        AND pd.class_programme_id = r.class_programme_id AND pd.entry_level_id = r.entry_level_id
      WHERE rc.registration_id = r.id) x) choices ON true
  LEFT JOIN LATERAL (SELECT json_agg(x) AS list FROM (SELECT status, required, coalesce(deferred_until, due_on) AS due
      FROM documents WHERE registration_id = r.id) x) documents ON true
  LEFT JOIN LATERAL (SELECT json_agg(x) AS list FROM (
      SELECT b.id, b.number, b.kind, b.status, b.total, b.paid, b.due_at, b.promised_until,
        (SELECT json_agg(i ORDER BY i.position) FROM (SELECT id, position, amount, paid, due_at FROM installments
          WHERE bill_id = b.id) i) AS installments,
        CASE WHEN b.status IN ('open', 'partly_paid') THEN (SELECT json_build_object('amount', y.amount, 'reason', q.reason)
          FROM payments y JOIN approval_requests q ON q.payment_id = y.id AND q.kind = 'reversal' AND q.status = 'approved'
          WHERE y.bill_id = b.id AND y.status = 'reversed' AND NOT EXISTS (SELECT FROM payments o WHERE o.bill_id = b.id
            AND o.status <> 'reversed' AND o.received_at >= y.reversed_at)
          ORDER BY y.reversed_at DESC LIMIT 1) END AS taken_back
      FROM bills b WHERE b.registration_id = r.id AND b.status <> 'cancelled') x) bills ON true
  WHERE ${condition}
  ORDER BY r.created_at DESC, r.id DESC`
