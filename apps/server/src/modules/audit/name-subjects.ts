import { sql } from 'kysely'
import type { Audience } from '#domain/campaigns/campaigns.ts'
import { campaignPath } from '#domain/campaigns/screens.ts'
import { columnName, type Entity } from '#entities/define/entity.ts'
import { findEntity, getEntity } from '#entities/index.ts'
import type { Db } from '#server/platform/database/database.ts'

export type Subject = { type: string; id: string }
type Named = { title: string | null; path: string | null }

/** Query that names records of a type by id, and `path` to a record's screen. */
type Source = { query: string; path?: (row: { id: string; link: string | null }) => string | null }

const sources: Record<string, Source> = {
  registration: {
    query: `SELECT r.id, r.code || ' · ' || a.full_name AS title, NULL AS link FROM registrations r
      JOIN applicants a ON a.id = r.applicant_id WHERE r.id = ANY($ids)`,
    path: ({ id }) => `/pendaftaran/${id}`,
  },
  document: {
    query: `SELECT d.id, d.name || ' · ' || r.code AS title, r.id::text AS link FROM documents d
      JOIN registrations r ON r.id = d.registration_id WHERE d.id = ANY($ids)`,
    path: ({ link }) => `/pendaftaran/${link}/file`,
  },
  bill: {
    query: `SELECT b.id, b.number AS title, b.registration_id::text AS link FROM bills b WHERE b.id = ANY($ids)`,
    path: ({ link }) => (link ? `/pendaftaran/${link}/pembayaran` : null),
  },
  payment: {
    query: `SELECT p.id, p.receipt_number AS title, NULL AS link FROM payments p WHERE p.id = ANY($ids)`,
    path: () => '/pembayaran-mahasiswa',
  },
  account: {
    query: `SELECT a.id, a.name AS title, NULL AS link FROM accounts a WHERE a.id = ANY($ids)`,
    path: ({ id }) => `/settings/accounts/${id}`,
  },
  applicant: {
    query: `SELECT a.id, a.full_name AS title, a.account_id::text AS link FROM applicants a WHERE a.id = ANY($ids)`,
    path: ({ link }) => (link ? `/settings/accounts/${link}` : null),
  },
  role: {
    query: `SELECT r.id, r.name AS title, NULL AS link FROM roles r WHERE r.id = ANY($ids)`,
    path: ({ id }) => `/settings/roles/${id}`,
  },
  menu: {
    query: `SELECT m.id, m.name_id AS title, NULL AS link FROM menus m WHERE m.id = ANY($ids)`,
    path: ({ id }) => `/settings/url/${id}`,
  },
  'virtual-account': {
    query: `SELECT v.id, concat_ws(' · ', v.number, b.number) AS title, NULL AS link FROM virtual_accounts v
      JOIN bills b ON b.id = v.bill_id WHERE v.id = ANY($ids)`,
    path: ({ id }) => `/transaksi-va/${id}`,
  },
  provider: {
    query: `SELECT p.id, p.name AS title, NULL AS link FROM provider_accounts p WHERE p.id = ANY($ids)`,
    path: ({ id }) => `/settings/providers/${id}`,
  },
  campaign: {
    query: `SELECT c.id, c.name AS title, c.audience AS link FROM campaigns c WHERE c.id = ANY($ids)`,
    path: ({ id, link }) => campaignPath({ audience: link as Audience, id }),
  },
  'campaign-sheet': {
    query: `SELECT s.id, s.file_name AS title, NULL AS link FROM campaign_sheets s WHERE s.id = ANY($ids)`,
  },
  'campaign-template': {
    query: `SELECT t.id, t.name AS title, NULL AS link FROM campaign_templates t WHERE t.id = ANY($ids)`,
  },
  whatsapp: {
    query: `SELECT w.id, w.name AS title, NULL AS link FROM whatsapp_connections w WHERE w.id = ANY($ids)`,
    path: ({ id }) => `/settings/whatsapp/${id}/view`,
  },
}

const entityAlias: Record<string, string> = { school: 'sma-nama' }

/** A nested row is shown on its parent's page. */
function sourceOfEntity(entity: Entity): Source {
  const titles = entity.titleFields.map((key) => `t.${columnName(key)}`).join(', ')
  const title = titles ? `concat_ws(' · ', ${titles})` : `''`
  const parent = entity.parent && getEntity(entity.parent.slug)
  const link = entity.parent ? `t.${columnName(entity.parent.field)}::text` : 'NULL'
  return {
    query: `SELECT t.id, nullif(${title}, '') AS title, ${link} AS link FROM ${entity.table} t WHERE t.id = ANY($ids)`,
    path: ({ id, link: parentId }) =>
      parent ? `/master/${parent.slug}/view/${parentId}` : `/master/${entity.slug}/${id}`,
  }
}

const isUuid = (text: string) => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)
const keyOf = ({ type, id }: Subject) => `${type} ${id}`

/** Names records and their screens, with one statement per type. */
export async function nameSubjects(db: Db, subjects: readonly Subject[]): Promise<(subject: Subject) => Named> {
  const named = new Map<string, Named>()
  for (const type of new Set(subjects.map((subject) => subject.type))) {
    const entity = findEntity(entityAlias[type] ?? type)
    const source = sources[type] ?? (entity && sourceOfEntity(entity))
    const ids = [
      ...new Set(subjects.filter((subject) => subject.type === type && isUuid(subject.id)).map(({ id }) => id)),
    ]
    if (!source || ids.length === 0) continue
    const [before, after] = source.query.split('$ids') as [string, string]
    const { rows } = await sql<{ id: string; title: string | null; link: string | null }>`
      ${sql.raw(before)}${ids}::uuid[]${sql.raw(after)}`.execute(db)
    for (const row of rows)
      named.set(keyOf({ type, id: row.id }), { title: row.title, path: source.path?.(row) ?? null })
  }
  return (subject) => {
    if (subject.type === 'settings') return { title: null, path: '/settings/general' }
    return named.get(keyOf(subject)) ?? { title: null, path: null }
  }
}
