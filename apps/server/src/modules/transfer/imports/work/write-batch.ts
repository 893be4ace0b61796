import type { Entity } from '#entities/define/entity.ts'
import type { PlannedRow } from '#server/modules/transfer/imports/plan/decide-row.ts'
import { type Problem, sentenceOf, sentencesOf } from '#server/modules/transfer/imports/problems.ts'
import type { OpenTx } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { refusalOf } from '#server/resource/refusals.ts'
import { type WriteBy, writeRows } from './write-rows.ts'

/** The database refused a batch and aborted the transaction; a second attempt with savepoints finds the row. */
export class Refused extends Error {}

/**
 * Writes a batch. Without `careful`, a refusal aborts the transaction. With it, each batch has a savepoint, and a
 * refused batch is repeated row by row to find the rows and reasons. Savepoints are expensive: rows that many others
 * refer to are then locked by as many subtransactions.
 */
export async function writeBatch(
  tx: OpenTx,
  entity: Entity,
  planned: readonly PlannedRow[],
  by: WriteBy,
  careful: boolean,
): Promise<Problem[]> {
  const rows = planned.filter(({ action }) => action !== 'unchanged')
  if (rows.length === 0) return []
  if (!careful) {
    await writeRows(tx, entity, rows, by).catch((error) => {
      throw isRowError(error) ? new Refused('refused', { cause: error }) : error
    })
    return []
  }
  if (!(await findRefusal(tx, entity, rows, by))) return []
  const problems: Problem[] = []
  for (const row of rows) {
    const refused = await findRefusal(tx, entity, [row], by)
    if (refused) problems.push({ level: 'problem', row: row.number, header: null, value: null, ...refused })
  }
  return problems
}

type Refusal = Pick<Problem, 'field' | 'reason'>

async function findRefusal(
  tx: OpenTx,
  entity: Entity,
  rows: readonly PlannedRow[],
  by: WriteBy,
): Promise<Refusal | null> {
  const savepoint = await tx.savepoint('batch').execute()
  try {
    await writeRows(savepoint, entity, rows, by)
    await savepoint.releaseSavepoint('batch').execute()
    return null
  } catch (error) {
    await savepoint.rollbackToSavepoint('batch').execute()
    return toRefusal(entity, error)
  }
}

/** Class 23 is a violated constraint, class 22 a value out of range; other errors are not caused by the row. */
const isRowError = (error: unknown) =>
  error instanceof AppError || /^2[23]/.test(String((error as { code?: unknown }).code ?? ''))

function toRefusal(entity: Entity, error: unknown): Refusal {
  if (!isRowError(error)) throw error
  if (error instanceof AppError) return { field: null, reason: sentenceOf({ key: 'changed_meanwhile' }) }
  const [sentence] = sentencesOf(refusalOf(entity, error) ?? {})
  return sentence ?? { field: null, reason: sentenceOf({ key: 'refused' }) }
}
