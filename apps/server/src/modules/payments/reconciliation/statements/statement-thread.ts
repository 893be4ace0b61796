import { answerWith } from '#server/platform/threads/thread-side.ts'
import { readStatement, type StatementPart, type StatementTask } from './read-statement.ts'

/** Runs in a thread of its own; `readStatementFile` starts it. */
answerWith<StatementTask, StatementPart>(async function* (task) {
  yield* readStatement(task)
})
