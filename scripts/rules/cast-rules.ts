import fs from 'node:fs'
import path from 'node:path'
import { root, sourceFilesIn } from './source-files.ts'

/**
 * Refuses `as never` outside tests. A value of type never fits everywhere, so the compiler says nothing when the types
 * around the cast change. A cast that has to stay needs its reason in a comment on the line above, which begins like
 * this: `as never: the library declares no type for …`.
 */
const cast = /\bas +never\b/
const comment = /^\s*(?:\/\/|\/?\*|\{\/\*)/
const reason = /^\s*(?:\/\/|\{?\/\*) as +never: \w+/

const problems: string[] = []
for (const file of sourceFilesIn(['apps', 'bench', 'packages', 'scripts', 'torture'])) {
  const lines = fs.readFileSync(path.join(root, file), 'utf8').split('\n')
  const isCast = (index: number) => cast.test(lines[index] ?? '') && !comment.test(lines[index] ?? '')
  for (const [index, line] of lines.entries()) {
    if (isCast(index) && !reason.test(lines[index - 1] ?? ''))
      problems.push(`${file}:${index + 1} casts to never: give the value its type, or the reason on the line above`)
    if (reason.test(line) && !isCast(index + 1))
      problems.push(`${file}:${index + 1} gives a reason for a cast that is not on the next line`)
  }
}

if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
