import { sql } from 'kysely'
import type { RegistrationStep } from '#domain/admissions/registration-status.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Tx } from '#server/platform/database/database.ts'

type TakenStep = {
  step: RegistrationStep
  at: Date
  fromProgrammeId?: string | null
  fromClassProgrammeId?: string
  /** Of a decision: the publication it waits behind. */
  publishedAfter?: number | null
  /** Of a decision: the selection it comes from. */
  selectionRunId?: string | null
}

/** Describes the step of changing the study programme or the class programme. */
export const moveStep = (fromProgrammeId: string | null, fromClassProgrammeId: string, at: Date): TakenStep => ({
  step: 'moved',
  at,
  fromProgrammeId,
  fromClassProgrammeId,
})

/** Inserts the steps in the transaction that takes them. */
export async function recordSteps(tx: Tx, actor: Actor, registrationId: string, steps: readonly TakenStep[]) {
  if (steps.length === 0) return
  await tx
    .insertInto('registrationSteps')
    .values(steps.map((step) => ({ registrationId, takenBy: actor.accountId || null, ...step })))
    .execute()
}

/** Marks steps as undone, at the earliest at their own time; no other change of the history is allowed. */
export async function undoSteps(tx: Tx, registrationId: string, steps: readonly RegistrationStep[], now: Date) {
  await tx
    .updateTable('registrationSteps')
    .set({ undoneAt: sql<Date>`greatest(at, ${now})` })
    .where('registrationId', '=', registrationId)
    .where('step', 'in', [...steps])
    .where('undoneAt', 'is', null)
    .execute()
}
