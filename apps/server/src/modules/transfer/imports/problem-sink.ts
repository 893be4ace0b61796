import type { Db } from '#server/platform/database/database.ts'
import type { Problem } from './problems.ts'

export type ProblemSink = Awaited<ReturnType<typeof problemSink>>

/** Keeps every problem, outside the transaction that is taken back. */
export async function problemSink(db: Db, importId: string) {
  await db.deleteFrom('importProblems').where('importId', '=', importId).execute()
  let waiting: Problem[] = []
  let count = 0
  async function flush() {
    const problems = waiting
    waiting = []
    if (problems.length === 0) return
    const first = count - problems.length
    await db
      .insertInto('importProblems')
      .values(
        problems.map(({ row, field, header, value, reason }, i) => ({
          importId,
          number: first + i + 1,
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
        waiting.push(problem)
        count++
        if (waiting.length >= 500) await flush()
      }
    },
  }
}
