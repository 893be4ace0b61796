import { answerWith } from '#server/platform/thread-side.ts'
import { readStatement, type StatementContent, type StatementTask } from './read-statement.ts'

/** Runs in a thread of its own; `readStatementFile` starts it. */
answerWith<StatementTask, StatementContent | null>(async function* (task) {
  yield await readStatement(task)
})
