import { answerWith } from '#server/platform/threads/thread-side.ts'
import { readStatement, type StatementPart, type StatementTask } from './read-statement.ts'

/** Entry of the thread; `readStatementFile` starts it. */
answerWith<StatementTask, StatementPart>(async function* (task) {
  yield* readStatement(task)
})
