import type { ControlledTransaction } from 'kysely'
import type { Entity } from '#entities/define/entity.ts'
import type { Database } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { refusalOf } from '#server/resource/refusals.ts'
import type { PlannedRow } from './plan/decide-row.ts'
import { type Problem, sentenceOf, sentencesOf } from './problems.ts'
import { type WriteBy, writeRows } from './write-rows.ts'

/** The database refused a batch, and the transaction with it: which row it was is found in a careful second try. */
export class Refused extends Error {}

/**
 * Writes a batch. In a hurry a refusal ends the transaction; carefully, each batch has a savepoint, and a refused one is
 * tried again row by row to tell which rows and why. Savepoints are dear: rows that many others point to are then
 * locked by as many subtransactions.
 */
export async function writeBatch(
  tx: ControlledTransaction<Database>,
  entity: Entity,
  planned: readonly PlannedRow[],
  by: WriteBy,
  careful: boolean,
): Promise<Problem[]> {
  const rows = planned.filter(({ action }) => action !== 'unchanged')
  if (rows.length === 0) return []
  if (!careful) {
    await writeRows(tx, entity, rows, by).catch((error) => {
      throw ofTheRow(error) ? new Refused('refused', { cause: error }) : error
    })
    return []
  }
  if (!(await refusedBy(tx, entity, rows, by))) return []
  const problems: Problem[] = []
  for (const row of rows) {
    const refused = await refusedBy(tx, entity, [row], by)
    if (refused) problems.push({ row: row.number, header: null, value: null, ...refused })
  }
  return problems
}

type Refusal = Pick<Problem, 'field' | 'reason'>

async function refusedBy(
  tx: ControlledTransaction<Database>,
  entity: Entity,
  rows: readonly PlannedRow[],
  by: WriteBy,
): Promise<Refusal | null> {
  const saved = await tx.savepoint('batch').execute()
  try {
    await writeRows(saved, entity, rows, by)
    await saved.releaseSavepoint('batch').execute()
    return null
  } catch (error) {
    await saved.rollbackToSavepoint('batch').execute()
    return explained(entity, error)
  }
}

/** Class 23 is a broken rule of the table, class 22 a value it cannot hold; anything else is no matter of the row. */
const ofTheRow = (error: unknown) =>
  error instanceof AppError || /^2[23]/.test(String((error as { code?: unknown }).code ?? ''))

function explained(entity: Entity, error: unknown): Refusal {
  if (!ofTheRow(error)) throw error
  if (error instanceof AppError) return { field: null, reason: sentenceOf({ key: 'changed_meanwhile' }) }
  const [told] = sentencesOf(refusalOf(entity, error) ?? {})
  return told ?? { field: null, reason: sentenceOf({ key: 'refused' }) }
}
