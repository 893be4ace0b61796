import { createHash } from 'node:crypto'
import Fastify from 'fastify'
import { namedStatements, namedTransactions, type Query } from './named-statements.ts'
import { queueMail } from './queue-mail.ts'
import { registrationFacts } from './registration-facts.ts'

/** Submitting a registration written by hand: the same checks and the same rows in one transaction. */
const query = namedStatements()
const transaction = namedTransactions()
const findSession = `SELECT a.id, a.name, a.email, a.language FROM sessions s JOIN accounts a ON a.id = s.account_id
  JOIN roles r ON r.id = a.role_id
  WHERE s.token_hash = $1 AND s.revoked_at IS NULL AND s.expires_at > now() AND a.active AND r.active`
const lockQuota = `SELECT d.id FROM track_details d JOIN registrations r ON r.track_id = d.track_id AND r.wave_id = d.wave_id
  AND r.entry_level_id = d.entry_level_id WHERE r.id = $1 AND r.status = 'draft' AND d.quota IS NOT NULL FOR NO KEY UPDATE OF d`
const facts = registrationFacts('r.id = $2 AND r.account_id = $3')
const profile = `SELECT a.*, a.school_type_id IS NULL OR EXISTS (SELECT FROM school_majors m
    WHERE m.school_type_id = a.school_type_id AND m.active) AS has_majors FROM applicants a WHERE a.account_id = $1`
const move = `
  WITH moved AS (UPDATE registrations SET status = 'submitted', submitted_at = $3, updated_at = $3
    WHERE id = $1 AND account_id = $2 AND status = 'draft' RETURNING *),
  step AS (INSERT INTO registration_steps (registration_id, taken_by, step, at) SELECT id, $2, 'submitted', $3 FROM moved),
  audit AS (INSERT INTO audit_log (actor_id, actor_name, role_name, action, subject_type, subject_id, before, after, ip, request_id)
    SELECT $2, $4, 'Mahasiswa', 'registration.submit', 'registration', id::text, '{"status": "draft"}', '{"status": "submitted"}', $5, $6
    FROM moved)
  SELECT m.code, t.free_of_fee, (SELECT f.amount FROM registration_fees f WHERE f.wave_id = m.wave_id AND f.active
      AND coalesce(f.track_id, m.track_id) = m.track_id AND coalesce(f.entry_level_id, m.entry_level_id) = m.entry_level_id
      AND coalesce(f.class_programme_id, m.class_programme_id) = m.class_programme_id
      ORDER BY num_nonnulls(f.track_id, f.entry_level_id, f.class_programme_id) DESC LIMIT 1) AS fee
  FROM moved m JOIN tracks t ON t.id = m.track_id`
const lockMoney = `SELECT id, waiting_amount FROM payments WHERE account_id = $1 AND waiting_amount > 0
  AND waiting_reason = 'bill_closed' ORDER BY id FOR UPDATE`
const lockDiscounts = `SELECT d.* FROM discounts d WHERE d.applies_to = 'registration_fee' AND (
    d.id IN (SELECT discount_id FROM discount_uses WHERE registration_id = $1 AND released_at IS NULL)
    OR d.active AND (d.condition = 'early' OR d.condition = 'school_agreement' AND d.id IN (SELECT s.discount_id
      FROM school_agreements s JOIN applicants p ON p.school_id = s.school_id WHERE p.account_id = $2)))
  ORDER BY d.id FOR NO KEY UPDATE`
const issue = `
  WITH counter AS (INSERT INTO number_counters (kind, scope, value) VALUES ('bill', $1, 1)
    ON CONFLICT (kind, scope) DO UPDATE SET value = number_counters.value + 1 RETURNING value),
  bill AS (INSERT INTO bills (number, registration_id, account_id, kind, status, total, due_at, issued_at)
    SELECT 'INV-' || $1::text || '-' || lpad(value::text, 6, '0'), $2, $3, 'registration_fee', 'open', $4, $5, $6 FROM counter
    RETURNING id, number, total),
  line AS (INSERT INTO bill_lines (bill_id, description, amount, installments_allowed, sort_order)
    SELECT id, 'Biaya pendaftaran', total, true, 0 FROM bill),
  audit AS (INSERT INTO audit_log (actor_id, actor_name, role_name, action, subject_type, subject_id, after, ip, request_id)
    SELECT $3, $7, 'Mahasiswa', 'bill.issue', 'bill', id::text, json_build_object('total', total, 'number', number), $8, $9 FROM bill)
  SELECT id, number, total FROM bill`
const findTemplates = `SELECT channel, subject_id AS subject, body_id AS body FROM message_templates
  WHERE event = 'registration-submitted' AND active`
const tell = `INSERT INTO messages (account_id, event, language, created_at, channel, subject, body, link, status, sent_at, to_address)
  VALUES ($1, 'registration-submitted', $2, $3, 'inbox', $4, $5, $6, 'sent', $3, NULL),
    ($1, 'registration-submitted', $2, $3, 'email', $4, $5, $7, DEFAULT, NULL, $8) RETURNING id, channel`
const dayMs = 86_400_000

type Account = { id: string; name: string; email: string; language: string }
type Asked = { account: Account; id: string; ip: string; requestId: string; now: Date }

async function submit(tx: Query, { account, id, ip, requestId, now }: Asked) {
  await tx(lockQuota, [id])
  const [found, person] = [await tx(facts, [now, id, account.id]), await tx(profile, [account.id])]
  const [row, applicant] = [found.rows[0], person.rows[0]]
  if (!row?.choices?.length || !applicant?.nik || !applicant.photo_file_id || row.closes_at < now) return undefined
  const moved = (await tx(move, [id, account.id, now, account.name, ip, requestId])).rows[0]
  if (!moved) return undefined
  await tx(lockMoney, [account.id])
  const discounts = await tx(lockDiscounts, [id, account.id])
  const total = moved.free_of_fee || discounts.rows.length > 0 ? 0 : Number(moved.fee)
  const soonestMs = now.getTime() + dayMs
  const dueAt = row.payment_due_at?.getTime() > soonestMs ? row.payment_due_at : new Date(soonestMs + 2 * dayMs)
  const year = String(now.getFullYear())
  const billValues = [year, id, account.id, total, dueAt, now, account.name, ip, requestId]
  const bill = (await tx(issue, billValues)).rows[0]
  await tx(findTemplates)
  const subject = `Pendaftaran ${moved.code} telah diterima`
  const text = `Pendaftaran Anda ${moved.code} telah diterima. Selanjutnya: bayar Rp ${bill.total} sebelum ${dueAt.toISOString()}.`
  const path = `/pendaftaran/${id}`
  const addresses = [path, `http://localhost${path}`, account.email]
  const messages = await tx(tell, [account.id, account.language, now, subject, text, ...addresses])
  await tx(queueMail, [messages.rows.find(({ channel }) => channel === 'email').id])
  return (await tx(facts, [now, id, account.id])).rows[0]
}

const app = Fastify()
app.post<{ Params: { id: string } }>('/:id', async ({ params: { id }, headers, ip, id: requestId }, reply) => {
  const token = headers.authorization!.slice('Bearer '.length)
  const { rows } = await query(findSession, [createHash('sha256').update(token).digest()])
  const account: Account | undefined = rows[0]
  if (!account) return reply.code(401).send()
  const data = await transaction((tx) => submit(tx, { account, id, ip, requestId, now: new Date() }))
  return data ? { data } : reply.code(409).send()
})
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
