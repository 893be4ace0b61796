import fs from 'node:fs'
import path from 'node:path'

/**
 * Refuses `as never` outside tests. A value of type never fits everywhere, so the compiler says nothing when the types
 * around the cast change. A cast that has to stay needs its reason in a comment on the line above, which begins like
 * this: `as never: the library declares no type for …`.
 */
const rooms = ['apps', 'bench', 'packages', 'scripts', 'torture']
const isTest = (file: string) => /\.test\.tsx?$/.test(file) || /^(apps\/\w+\/test|packages\/testing)\//.test(file)

const root = path.resolve(import.meta.dirname, '../..')
const files = rooms
  .flatMap((room) =>
    fs
      .readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
      .map((file) => `${room}/${file.replaceAll(path.sep, '/')}`),
  )
  .filter((file) => /\.tsx?$/.test(file) && !isTest(file) && !/(^|\/)(dist|node_modules)\//.test(file))

const cast = /\bas +never\b/
const comment = /^\s*(?:\/\/|\/?\*|\{\/\*)/
const reason = /^\s*(?:\/\/|\{?\/\*) as +never: \w+/

const problems: string[] = []
for (const file of files) {
  const lines = fs.readFileSync(path.join(root, file), 'utf8').split('\n')
  const isCast = (index: number) => cast.test(lines[index] ?? '') && !comment.test(lines[index] ?? '')
  for (const [index, line] of lines.entries()) {
    if (isCast(index) && !reason.test(lines[index - 1] ?? ''))
      problems.push(`${file}:${index + 1} casts to never: give the value its type, or the reason on the line above`)
    if (reason.test(line) && !isCast(index + 1))
      problems.push(`${file}:${index + 1} gives a reason for a cast that is not on the next line`)
  }
}

if (files.length < 500) problems.push(`only ${files.length} files were read`)
if (problems.length > 0) {
  console.error(problems.join('\n'))
  process.exitCode = 1
}
