import { storeProblems } from '#server/modules/transfer/imports/problem-list.ts'
import type { Problem } from '#server/modules/transfer/imports/problems.ts'
import type { Db } from '#server/platform/database/database.ts'

export type ProblemSink = Awaited<ReturnType<typeof openProblemSink>>

/** Returns functions that store problems outside the transaction, which may be rolled back. */
export async function openProblemSink(db: Db, importId: string) {
  await db.deleteFrom('importProblems').where('importId', '=', importId).execute()
  let pending: Problem[] = []
  const counts = { problem: 0, warning: 0 }
  async function flush() {
    const problems = pending
    pending = []
    await storeProblems(db, importId, problems, counts.problem + counts.warning - problems.length)
  }
  return {
    counts,
    flush,
    async add(problems: readonly Problem[]) {
      for (const problem of [...problems].sort((a, b) => a.row - b.row)) {
        pending.push(problem)
        counts[problem.level]++
        if (pending.length >= 500) await flush()
      }
    },
  }
}
