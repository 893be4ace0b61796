import { sql } from 'kysely'
import type { PublicAffiliate } from '#domain/affiliates/endpoints.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import { getFile } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'

type Row = PublicAffiliate & { code: string; id: string; photoFileId: string | null }

/** Affiliates with a public page, by name. People are counted only if the affiliate agreed. */
export async function readPublicAffiliates(db: Db): Promise<Row[]> {
  const { rows } = await sql<Omit<Row, 'photo'>>`
    SELECT f.id, f.code, coalesce(f.slug, lower(f.code)) AS path, f.name, f.kind, f.photo_file_id,
      nullif(btrim(f.biography), '') AS biography,
      ARRAY(SELECT p.name FROM affiliate_programmes k JOIN study_programmes p ON p.id = k.programme_id
        WHERE k.affiliate_id = f.id AND p.active ORDER BY p.name) AS programmes,
      CASE WHEN f.counted_since IS NOT NULL THEN
        (SELECT count(*)::int FROM referrals n WHERE n.affiliate_id = f.id) END AS helped
    FROM affiliates f WHERE f.public AND f.active ORDER BY lower(f.name), f.id`.execute(db)
  return rows.map((row) => ({ ...row, photo: row.photoFileId && `/api/afiliator/${row.path}/photo` }))
}

/** URL that an affiliate shares: the public page with the code that attributes visits. */
export const linkOf = ({ config }: Pick<Services, 'config'>, { path, code }: Pick<Row, 'path' | 'code'>) =>
  `${config.publicUrl}/afiliator/${path}?ref=${encodeURIComponent(code)}`

/** Milliseconds for which visitors may see an outdated page. */
const freshForMs = 15_000

/** Reads the public affiliates at most once in 15 seconds, however many visitors ask. */
export function keepPublicAffiliates({ db, clock }: Services) {
  let cached: { rows: Promise<Row[]>; at: number } | undefined
  return async () => {
    const at = clock.now().getTime()
    if (!cached || at - cached.at >= freshForMs || at < cached.at) {
      const rows = readPublicAffiliates(db)
      cached = { rows, at }
      rows.catch(() => {
        cached = undefined
      })
    }
    return cached.rows
  }
}

/** The affiliate with a public page under this path: its slug, code or id. */
export function findByAddress(rows: readonly Row[], path: string): Row | undefined {
  const address = path.toLowerCase()
  return rows.find((row) => row.path === address || row.code.toLowerCase() === address || row.id === address)
}

/** `findByAddress`, but throws 404 if there is none. */
export function getByAddress(rows: readonly Row[], path: string): Row {
  const found = findByAddress(rows, path)
  if (!found) throw notFound('affiliate')
  return found
}

/** Bytes of a photo's thumbnail; 404 without a photo. */
export async function photoOf({ db, files }: Services, { photoFileId }: Row) {
  if (!photoFileId) throw notFound('photo')
  const { thumbnailKey, storageKey, mime } = await getFile(db, photoFileId)
  return { type: thumbnailKey ? 'image/webp' : mime, bytes: await files.bytes(thumbnailKey ?? storageKey) }
}
