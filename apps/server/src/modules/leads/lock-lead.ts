import type { Tx } from '#server/platform/database/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'

/** Locks a lead; 404 if it does not exist, 409 if it was merged into another. */
export async function lockLead(tx: Tx, id: string) {
  const lead = await tx.selectFrom('leads').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!lead) throw notFound('lead')
  if (lead.mergedInto) throw conflict('lead_merged')
  return lead
}
