import type { WhatsappProblem } from '#domain/whatsapp/problems.ts'
import type { WhatsappKind } from '#domain/whatsapp/standing.ts'
import type { Db } from '#server/platform/database/database.ts'

/** Pause before a connection with a problem that staff must fix is tried again. */
export const waitForHelpMs = 60_000

/** Problems derived from the connection's other columns; they are never stored. */
const derivedProblems: readonly WhatsappProblem[] = ['no_connection', 'inactive', 'not_connected']

/** Stores why a connection sends no messages. */
export async function noteProblem(
  tx: Db,
  { id, kind }: { id: string; kind: WhatsappKind },
  problem: WhatsappProblem,
  detail: string | null,
  now: Date,
) {
  if (kind === 'log' || derivedProblems.includes(problem)) return
  await tx
    .updateTable('whatsappConnections')
    .set({ problem, problemDetail: detail, problemAt: now })
    .where('id', '=', id)
    // A known problem is rewritten at most every five minutes, not for each message.
    .where((eb) =>
      eb.or([eb('problem', 'is distinct from', problem), eb('problemAt', '<', new Date(now.getTime() - 300_000))]),
    )
    .execute()
}

/** Removes the stored problem after a message or check has succeeded. */
export async function clearProblem(tx: Db, id: string, now: Date) {
  await tx
    .updateTable('whatsappConnections')
    .set({ problem: null, problemDetail: null, problemAt: null, checkedAt: now })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('problem', 'is not', null), eb('checkedAt', 'is', null)]))
    .execute()
}
