import type { Problem } from '#server/modules/transfer/imports/problems.ts'
import type { Db } from '#server/platform/database/database.ts'

export type ProblemSink = Awaited<ReturnType<typeof openProblemSink>>

/** Returns functions that store problems outside the transaction, which may be rolled back. */
export async function openProblemSink(db: Db, importId: string) {
  await db.deleteFrom('importProblems').where('importId', '=', importId).execute()
  let pending: Problem[] = []
  let count = 0
  async function flush() {
    const problems = pending
    pending = []
    if (problems.length === 0) return
    const firstNumber = count - problems.length
    await db
      .insertInto('importProblems')
      .values(
        problems.map(({ row, field, header, value, reason }, i) => ({
          importId,
          number: firstNumber + i + 1,
          row,
          field,
          header,
          value,
          reasonEn: reason.en,
          reasonId: reason.id,
        })),
      )
      .execute()
  }
  return {
    count: () => count,
    flush,
    async add(problems: readonly Problem[]) {
      for (const problem of [...problems].sort((a, b) => a.row - b.row)) {
        pending.push(problem)
        count++
        if (pending.length >= 500) await flush()
      }
    },
  }
}
