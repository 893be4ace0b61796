import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take a minute or more. If started last, such a file would run alone at the end. */
const longFiles = [
  ...['look', 'test-day', 'finance-office', 'first-day', 'school-visit', 'campaign', 'apply-to-student', 'chat'],
  'selection',
]

const rankOf = ({ moduleId }: TestSpecification) => {
  const rank = longFiles.indexOf(path.basename(moduleId, '.e2e.ts'))
  return rank < 0 ? longFiles.length : rank
}

/** Starts the longest files first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    return files.toSorted((a, b) => rankOf(a) - rankOf(b) || a.moduleId.localeCompare(b.moduleId))
  }
}
