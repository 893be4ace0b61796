import type { WhatsappProblem } from '#domain/whatsapp/problems.ts'
import type { WhatsappKind } from '#domain/whatsapp/standing.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Between looks at a connection that somebody has to put right. */
export const waitForHelpMs = 10 * 60_000

/** Told by how a connection stands; kept nowhere else. */
const derived: readonly WhatsappProblem[] = ['no_connection', 'inactive', 'not_connected']

/** Keeps in words why nothing goes through a connection. */
export async function noteProblem(
  tx: Db,
  { id, kind }: { id: string; kind: WhatsappKind },
  problem: WhatsappProblem,
  detail: string | null,
  now: Date,
) {
  if (kind === 'log' || derived.includes(problem)) return
  await tx
    .updateTable('whatsappConnections')
    .set({ problem, problemDetail: detail, problemAt: now })
    .where('id', '=', id)
    // What is known already is not written again for every message that finds it out.
    .where((eb) =>
      eb.or([eb('problem', 'is distinct from', problem), eb('problemAt', '<', new Date(now.getTime() - 300_000))]),
    )
    .execute()
}

/** Something went through: whatever was wrong is over. */
export async function clearProblem(tx: Db, id: string, now: Date) {
  await tx
    .updateTable('whatsappConnections')
    .set({ problem: null, problemDetail: null, problemAt: null, checkedAt: now })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('problem', 'is not', null), eb('checkedAt', 'is', null)]))
    .execute()
}
