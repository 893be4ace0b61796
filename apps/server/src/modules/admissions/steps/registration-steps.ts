import { sql } from 'kysely'
import type { RegistrationStep } from '#domain/admissions/registration-status.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'

type TakenStep = {
  step: RegistrationStep
  at: Date
  fromProgrammeId?: string | null
  fromClassProgrammeId?: string
  /** For a decision: number of the publication after which it waits for the next one; null if it does not wait. */
  publishedAfter?: number | null
  /** For a decision: the selection it comes from. */
  selectionRunId?: string | null
}

/** The step for a change of study programme or class programme. */
export const moveStep = (fromProgrammeId: string | null, fromClassProgrammeId: string, at: Date): TakenStep => ({
  step: 'moved',
  at,
  fromProgrammeId,
  fromClassProgrammeId,
})

/** Adds steps to the history, in the transaction that takes them. */
export async function recordSteps(tx: Tx, actor: Actor, registrationId: string, steps: readonly TakenStep[]) {
  if (steps.length === 0) return
  await tx
    .insertInto('registrationSteps')
    .values(steps.map((step) => ({ registrationId, takenBy: actor.accountId || null, ...step })))
    .execute()
}

/** Marks steps as undone, never before their own time. The database allows no other change to the history. */
export async function undoSteps(tx: Tx, registrationId: string, steps: readonly RegistrationStep[], now: Date) {
  await tx
    .updateTable('registrationSteps')
    .set({ undoneAt: sql<Date>`greatest(at, ${now})` })
    .where('registrationId', '=', registrationId)
    .where('step', 'in', [...steps])
    .where('undoneAt', 'is', null)
    .execute()
}
