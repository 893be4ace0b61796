import { isZip } from '#server/platform/sheets/xlsx-reader.ts'
import { answerWith } from '#server/platform/threads/thread-side.ts'
import { readStatement, readStatementSheet, type StatementPart, type StatementTask } from './read-statement.ts'
import { rowsOfSheet } from './statement-sheet.ts'

/** Entry file of the thread that `readStatementFile` starts. */
answerWith<StatementTask, StatementPart>(async function* (task) {
  const bytes = Buffer.from(task.bytes)
  if (isZip(bytes)) yield* readStatementSheet(await rowsOfSheet(bytes, task.mapping), task)
  else yield* readStatement(task)
})
