import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '#server/platform/access/authorization.ts'
import {
  decisionActions,
  isIntakePublished,
  isPublished,
  publicDecision,
  publicStatusSql,
} from '#server/platform/access/decision-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * Everything stored about an account holder. Each section is a query of plain rows. Secrets (password, tokens, second
 * factor) and unpublished data (decisions, scores before their announcement, waiting on a reserve list) are left out.
 */
const sections: Record<string, string> = {
  account: `SELECT a.id, a.name, a.email, a.email_verified_at, a.phone, r.name AS role, a.language, a.theme, a.active,
      a.password_hash IS NOT NULL AS has_password, a.consent_version, a.consent_at, a.guardian_name,
      a.guardian_consent_at, a.referral_code, a.sign_up_progress, nullif(v.last_signed_in_at, '-infinity') AS last_signed_in_at, a.created_at, a.updated_at
    FROM accounts a JOIN roles r ON r.id = a.role_id JOIN account_visits v ON v.account_id = a.id WHERE a.id = $me`,
  identities: `SELECT provider, subject, created_at FROM account_identities WHERE account_id = $me`,
  sessions: `SELECT created_at, last_seen_at, expires_at, revoked_at, ip, user_agent FROM sessions
    WHERE account_id = $me ORDER BY created_at`,
  profile: `SELECT to_jsonb(p) - 'account_id' || jsonb_build_object(
      'religion', re.name, 'ethnic_group', eg.name, 'province', pr.name, 'city', ci.name, 'district', di.name,
      'village', vi.name, 'school', sc.name, 'school_type', st.name, 'school_major', sm.name) AS row
    FROM applicants p LEFT JOIN religions re ON re.id = p.religion_id LEFT JOIN ethnic_groups eg ON eg.id = p.ethnic_group_id
      LEFT JOIN provinces pr ON pr.id = p.province_id LEFT JOIN cities ci ON ci.id = p.city_id
      LEFT JOIN districts di ON di.id = p.district_id LEFT JOIN villages vi ON vi.id = p.village_id
      LEFT JOIN schools sc ON sc.id = p.school_id LEFT JOIN school_types st ON st.id = p.school_type_id
      LEFT JOIN school_majors sm ON sm.id = p.school_major_id
    WHERE p.account_id = $me`,
  drivingLicence: `SELECT drives, class, number, expires_on, status, reject_reason, reviewed_at, updated_at
    FROM driving_licences WHERE account_id = $me`,
  questionnaire: `SELECT reasons, criteria, sources, other, answered_at FROM questionnaires WHERE account_id = $me`,
  studyIntent: `SELECT wave_id, track_id, class_programme_id, programme_ids, updated_at FROM study_intents WHERE account_id = $me`,
  registrations: `SELECT r.id, r.code, w.name AS wave, t.name AS track, e.name AS entry_level, c.name AS class_programme,
      r.donation_amount, r.referral_code,
      $status AS status,
      p.decision, CASE WHEN p.shown THEN r.decision_reason ELSE x.reason END AS decision_reason,
      CASE WHEN p.shown THEN a.name END AS accepted_programme, r.documents_state,
      CASE WHEN p.shown THEN r.offer_due_at END AS offer_due_at, CASE WHEN p.decision IS NOT NULL THEN r.result_told_at END AS result_told_at,
      CASE WHEN p.decision IS NOT NULL THEN r.result_seen_at END AS result_seen_at,
      CASE WHEN p.shown THEN r.offer_reminded_at END AS offer_reminded_at,
      r.created_at, r.submitted_at, r.paid_at, r.verified_at, CASE WHEN p.shown THEN r.decided_at ELSE x.decided_at END AS decided_at,
      r.confirmed_at, r.enrolled_at, r.closed_at,
      (SELECT jsonb_agg(s.name ORDER BY ch.position) FROM registration_choices ch
        JOIN study_programmes s ON s.id = ch.programme_id WHERE ch.registration_id = r.id) AS choices
    FROM registrations r JOIN waves w ON w.id = r.wave_id JOIN tracks t ON t.id = r.track_id
      JOIN entry_levels e ON e.id = r.entry_level_id JOIN class_programmes c ON c.id = r.class_programme_id
      LEFT JOIN study_programmes a ON a.id = r.accepted_programme_id
      LEFT JOIN shown_refusals x ON x.registration_id = r.id
      CROSS JOIN LATERAL (SELECT r.decision IS NOT NULL AND $published AS shown, $decision AS decision) p
    WHERE r.account_id = $me ORDER BY r.created_at`,
  documents: `SELECT r.code AS registration, d.name, d.required, d.status, d.reject_reason, d.deferred_until, d.due_on,
      d.uploaded_at, d.reviewed_at, f.name AS file_name, f.mime, f.bytes
    FROM documents d JOIN registrations r ON r.id = d.registration_id LEFT JOIN files f ON f.id = d.file_id
    WHERE r.account_id = $me ORDER BY r.created_at, d.sort_order`,
  enrolmentData: `SELECT r.code AS registration, to_jsonb(e) - 'registration_id' - 'version' AS answers
    FROM enrolment_data e JOIN registrations r ON r.id = e.registration_id WHERE r.account_id = $me ORDER BY r.created_at`,
  files: `SELECT purpose, name, mime, bytes, created_at, deleted_at FROM files WHERE owner_account_id = $me ORDER BY created_at`,
  testSeats: `SELECT r.code AS registration, s.name AS session, s.date, s.location, t.status, o.name AS room, t.seat_number,
      t.booked_at, t.arrived_at, t.left_at, t.forced_reason, t.excused_reason, t.released_at, t.created_at
    FROM test_seats t JOIN registrations r ON r.id = t.registration_id JOIN test_sessions s ON s.id = t.test_session_id
      LEFT JOIN test_session_rooms o ON o.id = t.room_id
    WHERE r.account_id = $me ORDER BY t.created_at`,
  testWaitingPlaces: `SELECT r.code AS registration, s.name AS session, p.status, p.joined_at, p.offered_at, p.offered_until, p.ended_at
    FROM test_waiting_places p JOIN registrations r ON r.id = p.registration_id JOIN test_sessions s ON s.id = p.test_session_id
    WHERE r.account_id = $me ORDER BY p.joined_at`,
  testScans: `SELECT r.code AS registration, s.name AS session, c.kind, c.outcome, c.reason, c.at, c.received_at
    FROM test_scans c JOIN registrations r ON r.id = c.registration_id JOIN test_sessions s ON s.id = c.test_session_id
    WHERE r.account_id = $me ORDER BY c.at`,
  testScores: `SELECT r.code AS registration, t.name AS test, s.score, s.recorded_at
    FROM test_scores s JOIN registrations r ON r.id = s.registration_id JOIN tests t ON t.id = s.test_id
    WHERE r.account_id = $me AND s.score IS NOT NULL AND $intakePublished ORDER BY s.recorded_at`,
  finalScores: `SELECT r.code AS registration, t.name AS test, f.score, n.pinned_at
    FROM final_scores f JOIN score_runs n ON n.id = f.score_run_id AND n.pinned_at IS NOT NULL
      JOIN registrations r ON r.id = f.registration_id JOIN tests t ON t.id = f.test_id
    WHERE r.account_id = $me AND EXISTS (SELECT FROM result_publications rp
      WHERE rp.wave_id = r.wave_id AND rp.track_id = r.track_id AND rp.publish_at BETWEEN n.pinned_at AND $now)
    ORDER BY n.pinned_at, t.code`,
  reservePlaces: `SELECT r.code AS registration, s.name AS programme, p.rank, p.status, p.offered_at, p.due_at, p.ended_at
    FROM reserve_places p JOIN registrations r ON r.id = p.registration_id JOIN study_programmes s ON s.id = p.programme_id
    WHERE r.account_id = $me AND p.offered_at IS NOT NULL AND $intakePublished ORDER BY p.offered_at`,
  affiliateVisits: `SELECT f.name AS affiliate, t.source, t.at, t.outcome FROM affiliate_touches t
      JOIN affiliates f ON f.id = t.affiliate_id WHERE t.account_id = $me ORDER BY t.at`,
  affiliateDevices: `SELECT device, at FROM account_devices WHERE account_id = $me ORDER BY at`,
  affiliateRequests: `SELECT kind, phone, reason, biography, status, created_at, decided_at, note
    FROM affiliate_applications WHERE account_id = $me ORDER BY created_at`,
  affiliate: `SELECT code, name, kind, phone, email, bank_name, bank_account, bank_holder, biography, slug, public,
      counted_since FROM affiliates WHERE account_id = $me`,
  commission: `SELECT e.created_at, e.stage, e.kind, e.amount, e.cause FROM commission_entries e
      JOIN affiliates f ON f.id = e.affiliate_id WHERE f.account_id = $me ORDER BY e.seq`,
  agreedToContact: `SELECT o.kind, o.given, o.consent_text, o.consented_at FROM lead_origins o JOIN leads l ON l.id = o.lead_id
    WHERE l.account_id = $me ORDER BY o.consented_at`,
  programmeRequests: `SELECT r.code AS registration, s.name AS programme, c.name AS class_programme, q.reason, q.difference,
      q.status, q.asked_at, q.decided_at, q.answer
    FROM programme_requests q JOIN registrations r ON r.id = q.registration_id
      JOIN study_programmes s ON s.id = q.programme_id JOIN class_programmes c ON c.id = q.class_programme_id
    WHERE r.account_id = $me ORDER BY q.asked_at`,
  bills: `SELECT b.number, r.code AS registration, b.kind, b.status, b.total, b.paid, b.due_at, b.issued_at, b.paid_at,
      (SELECT jsonb_agg(jsonb_build_object('description', l.description, 'amount', l.amount) ORDER BY l.sort_order)
        FROM bill_lines l WHERE l.bill_id = b.id) AS lines,
      (SELECT jsonb_agg(jsonb_build_object('position', i.position, 'amount', i.amount, 'paid', i.paid, 'due_at', i.due_at)
        ORDER BY i.position) FROM installments i WHERE i.bill_id = b.id) AS installments,
      (SELECT jsonb_agg(jsonb_build_object('bank', v.bank, 'number', v.number, 'amount', v.amount, 'status', v.status)
        ORDER BY v.created_at) FROM virtual_accounts v WHERE v.bill_id = b.id) AS virtual_accounts
    FROM bills b JOIN registrations r ON r.id = b.registration_id WHERE b.account_id = $me ORDER BY b.issued_at`,
  payments: `SELECT provider, provider_reference, virtual_account_number, amount, status, receipt_number, channel, paid_at, received_at
    FROM payments WHERE account_id = $me ORDER BY received_at`,
  transferProofs: `SELECT b.number AS bill, t.amount, t.paid_at, t.from_bank, t.note, t.sent_at, t.state, t.reason, t.answered_at
    FROM transfer_proofs t JOIN bills b ON b.id = t.bill_id WHERE b.account_id = $me ORDER BY t.sent_at`,
  paymentLinks: `SELECT b.number AS bill, l.created_at, l.opened_at, l.last_opened_at, l.visits, l.taken_back_at
    FROM payment_links l JOIN bills b ON b.id = l.bill_id WHERE b.account_id = $me ORDER BY l.created_at`,
  studentNumbers: `SELECT s.npm, p.name AS programme, s.issued_at FROM students s
    JOIN study_programmes p ON p.id = s.programme_id WHERE s.account_id = $me`,
  jackets: `SELECT r.code AS registration, h.size, h.handed_at, h.signature, h.note, h.ended_at, h.ended_as, h.ended_reason
    FROM jacket_hand_outs h JOIN registrations r ON r.id = h.registration_id WHERE r.account_id = $me ORDER BY h.handed_at`,
  messages: `SELECT channel, to_address, event, language, subject,
      CASE WHEN channel = 'email' AND event IN ('verify-email', 'reset-password', 'change-email') THEN NULL ELSE body END AS body,
      status, created_at, sent_at, read_at
    FROM messages WHERE account_id = $me OR lower(to_address) = (SELECT email_lower FROM accounts WHERE id = $me)
    ORDER BY created_at`,
  chat: `SELECT m.at, m.author, m.kind, m.body, f.name AS file FROM chat_messages m
      JOIN conversations v ON v.id = m.conversation_id LEFT JOIN files f ON f.id = m.file_id
    WHERE v.account_id = $me AND m.public_seq IS NOT NULL ORDER BY m.at, m.seq`,
  whatsappNumber: `SELECT proven_phone AS phone, whatsapp_at AS last_message_at FROM conversations
    WHERE account_id = $me AND proven_phone IS NOT NULL`,
  campaignMessages: `SELECT c.name AS campaign, c.purpose, h.channel, h.address, r.values, h.state, h.reason, h.handed_at
    FROM campaign_recipients r JOIN campaigns c ON c.id = r.campaign_id
      JOIN handovers h ON h.campaign_id = r.campaign_id AND h.number = r.number
    WHERE r.account_id = $me ORDER BY h.handed_at`,
  optOuts: `SELECT o.purpose, o.source, o.note, o.created_at, o.lifted_at FROM opt_outs o JOIN accounts a ON a.id = $me
    WHERE o.address IN (a.email_lower, a.phone) OR (o.source = 'preferences' AND o.created_by = a.id) ORDER BY o.created_at`,
  history: `SELECT at, CASE WHEN actor_id = $me THEN actor_name ELSE role_name END AS by, action, subject_type,
      CASE WHEN actor_id = $me THEN ip END AS ip
    FROM audit_log
    WHERE actor_id = $me OR (subject_type = 'account' AND subject_id = $me::text)
      OR (subject_type = 'registration' AND subject_id IN (SELECT id::text FROM registrations WHERE account_id = $me)
        AND NOT action = ANY($decisionActions) AND action NOT IN ('registration.note', 'reserve-list.skip'))
    ORDER BY id`,
}

/** Replaces `$me`, `$status` and similar placeholders by SQL; each section uses alias `r` for the registration. */
function queryOf(section: string, me: string, now: Date) {
  const values: Record<string, RawBuilder<unknown>> = {
    $me: sql`${me}::uuid`,
    $status: publicStatusSql(now),
    $published: isPublished(now),
    $intakePublished: isIntakePublished(now),
    $now: sql`${now}::timestamptz`,
    $decision: publicDecision(now),
    $decisionActions: sql`${decisionActions}::text[]`,
  }
  return section.split(/(\$\w+)/).map((part) => values[part] ?? sql.raw(part))
}

export const exportAccount = (services: Services, actor: Actor) =>
  services.db.transaction().execute(async (tx) => {
    const now = services.clock.now()
    const data: Record<string, unknown> = { exportedAt: now.toISOString() }
    for (const [name, section] of Object.entries(sections)) {
      const query = sql.join(queryOf(section, actor.accountId, now), sql.raw(''))
      const { rows } = await sql<{
        rows: unknown
      }>`SELECT coalesce(jsonb_agg(to_jsonb(x)), '[]') AS rows FROM (${query}) x`.execute(tx)
      data[name] = rows[0]?.rows
    }
    await recordAudit(tx, actor, { action: 'account.export', on: { account: actor.accountId } })
    return data
  })
