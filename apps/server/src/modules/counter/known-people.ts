import { sql } from 'kysely'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { hasMailbox } from '#domain/accounts/mailbox.ts'
import type { KnownPerson } from '#domain/counter/endpoints.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { maskEmail, maskName, maskPhone } from '#server/platform/access/masks.ts'
import { accountsVisibleTo, visibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Phone in E.164, NIK without separators. */
export type Identity = { email: string | null; phone: string | null; nik: string | null }

type Match = KnownPerson['matches'][number]

type Row = Pick<KnownPerson, 'accountId' | 'name' | 'registrations'> &
  Record<Match, boolean> & { isVisible: boolean; accountEmail: string; accountPhone: string | null }

/**
 * Applicants with the same e-mail address, phone or NIK. Contacts are masked, and so are names of people outside the
 * actor's programmes. Lists only registrations the actor may see.
 */
export async function findKnownPeople(db: Db, actor: Actor, { email, phone, nik }: Identity): Promise<KnownPerson[]> {
  const { rows } = await sql<Row>`
    WITH found AS (
      SELECT id FROM accounts WHERE email_lower = lower(${email})
      UNION SELECT id FROM accounts WHERE phone = ${phone}
      UNION SELECT account_id FROM applicants WHERE nik = ${nik})
    SELECT a.id AS account_id, coalesce(p.full_name, a.name) AS name, a.email AS account_email, a.phone AS account_phone,
      (a.email_lower = lower(${email})) IS TRUE AS email, (a.phone = ${phone}) IS TRUE AS phone, (p.nik = ${nik}) IS TRUE AS nik,
      ${accountsVisibleTo(actor)} AS is_visible,
      (SELECT coalesce(json_agg(json_build_object('id', r.id, 'code', r.code, 'wave', w.name, 'track', t.name)
          ORDER BY r.created_at), '[]')
        FROM registrations r JOIN waves w ON w.id = r.wave_id JOIN tracks t ON t.id = r.track_id
        WHERE r.account_id = a.id AND ${visibleTo(actor)}) AS registrations
    FROM found JOIN accounts a ON a.id = found.id JOIN roles o ON o.id = a.role_id AND o.name = ${applicantRole}
    LEFT JOIN applicants p ON p.account_id = a.id
    ORDER BY a.created_at, a.id`.execute(db)
  return rows.map((row) => ({
    accountId: row.accountId,
    name: row.isVisible ? row.name : maskName(row.name),
    email: hasMailbox(row.accountEmail) ? maskEmail(row.accountEmail) : null,
    phone: row.accountPhone && maskPhone(row.accountPhone),
    matches: (['email', 'phone', 'nik'] as const).filter((field) => row[field]),
    registrations: row.registrations,
  }))
}
