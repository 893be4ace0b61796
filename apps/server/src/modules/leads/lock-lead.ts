import type { Tx } from '#server/platform/database/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'

/** Locks a lead; throws 404 for none, 409 for one that was merged into another. */
export async function lockLead(tx: Tx, id: string) {
  const lead = await tx.selectFrom('leads').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!lead) throw notFound('lead')
  if (lead.mergedInto) throw conflict('lead_merged')
  return lead
}
