import { createHash, randomBytes } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import Fastify from 'fastify'
import { namedTransactions } from './named-statements.ts'
import { queueMail } from './queue-mail.ts'

/** Signing up written by hand: the same password hash and the same rows in one transaction. */
const transaction = namedTransactions()
const insertAccount = `
  WITH added AS (
    INSERT INTO accounts (name, email, phone, password_hash, language, consent_version, consent_at, created_at, role_id)
    SELECT $1, $2, $3, $4, 'id', (SELECT value #>> '{}' FROM settings WHERE key = 'consentVersion'), $5, $5, id
    FROM roles WHERE name = 'Mahasiswa' ON CONFLICT (email_lower) DO NOTHING
    RETURNING id, name, email, role_id, consent_version)
  SELECT a.*, r.name AS role, r.session_hours,
    (SELECT json_build_object('subject', subject_id, 'body', body_id) FROM message_templates
      WHERE event = 'verify-email' AND channel = 'email' AND active LIMIT 1) AS template
  FROM added a JOIN roles r ON r.id = a.role_id`
const insertRest = `
  WITH link AS (
    INSERT INTO one_time_tokens (account_id, purpose, token_hash, payload, expires_at, created_at)
    VALUES ($1, 'verify-email', $2, json_build_object('email', $3::text), $4::timestamptz + interval '24 hours', $4)),
  audit AS (
    INSERT INTO audit_log (actor_id, actor_name, role_name, action, subject_type, subject_id, after, ip, request_id)
    VALUES ($1, $5, 'Mahasiswa', 'account.register', 'account', $1::text,
      json_build_object('consentVersion', $6::text, 'language', 'id'), $7, $8)),
  session AS (
    INSERT INTO sessions (account_id, token_hash, created_at, last_seen_at, expires_at, ip, user_agent)
    VALUES ($1, $9, $4, $4, $4::timestamptz + make_interval(hours => $10), $7, $11) RETURNING expires_at),
  mail AS (
    INSERT INTO messages (channel, to_address, event, language, subject, body, link, created_at)
    VALUES ('email', $3, 'verify-email', 'id', $12, $13, $14, $4) RETURNING id)
  SELECT mail.id, session.expires_at FROM mail, session`
const visit = 'UPDATE account_visits SET last_signed_in_at = $2 WHERE account_id = $1'
const newToken = () => randomBytes(32).toString('base64url')
const hashOf = (token: string) => createHash('sha256').update(token).digest()

type Body = Record<'name' | 'email' | 'phone' | 'password', string>

const app = Fastify()
app.post<{ Body: Body }>('/', async ({ body, ip, id: requestId, headers }) => {
  const passwordHash = await hash(body.password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  const [link, session, now] = [newToken(), newToken(), new Date()]
  return transaction(async (query) => {
    const { rows } = await query(insertAccount, [body.name, body.email, body.phone, passwordHash, now])
    const account = rows[0]!
    const subject = account.template?.subject ?? 'Konfirmasi alamat e-mail Anda'
    const text = account.template?.body ?? 'Terima kasih telah mendaftar. Buka tautan di bawah ini dalam 24 jam.'
    const rest = await query(insertRest, [
      ...[account.id, hashOf(link), account.email, now, account.name, account.consent_version, ip, requestId],
      ...[hashOf(session), account.session_hours, headers['user-agent'] ?? null, subject, text],
      `http://localhost/confirm-email/${link}?lang=id`,
    ])
    await query(visit, [account.id, now])
    await query(queueMail, [rest.rows[0].id])
    const { id, name, email, role_id, role } = account
    const user = { id, name, email, email_verified_at: null, role: { id: role_id, name: role } }
    return { access_token: session, token_type: 'Bearer', expires_at: rest.rows[0].expires_at, user }
  })
})
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
