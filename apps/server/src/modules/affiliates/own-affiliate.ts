import { sql } from 'kysely'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'

/** Affiliates `f` of an account: linked by staff, or recorded with the account's verified e-mail. */
const isOf = ({ accountId, email, emailVerified }: Actor) => sql<boolean>`(f.active AND (f.account_id = ${accountId}
  OR f.account_id IS NULL AND ${emailVerified} AND lower(f.email) = ${email.toLowerCase()}))`

/** Id of the account's own affiliate; a link takes precedence over an e-mail address. */
export async function findOwnAffiliate(db: Db, actor: Actor): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`SELECT f.id FROM affiliates f WHERE ${isOf(actor)}
    ORDER BY f.account_id IS NULL, f.created_at, f.id LIMIT 1`.execute(db)
  return rows[0]?.id
}

/** `findOwnAffiliate`, but throws 404 if there is none. */
export async function getOwnAffiliate(db: Db, actor: Actor): Promise<string> {
  const id = await findOwnAffiliate(db, actor)
  if (!id) throw notFound('affiliate')
  return id
}
