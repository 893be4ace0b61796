import fs from 'node:fs'
import path from 'node:path'
import { isUnedited, type PlannedFile } from './files.ts'

type Say = (line: string) => void
const toConsole: Say = (line) => console.log(line)

/** `--dry-run`: prints every file as it would be written. */
export function printFiles(files: readonly PlannedFile[], say = toConsole) {
  for (const { path: file, text, mode } of files) say(`=== ${file} (mode ${mode.toString(8)})\n${text}`)
}

const read = (file: string) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined)

/** Writes missing or outdated files and says so; a file edited by hand is kept beside the new one as `.bak`. */
export function installFiles(files: readonly PlannedFile[], say = toConsole) {
  for (const { path: file, text, mode, once } of files) {
    const present = read(file)
    if (present === text) say(`unchanged  ${file}`)
    else if (present === undefined) {
      fs.mkdirSync(path.dirname(file), { recursive: true })
      fs.writeFileSync(file, text, { mode })
      say(`new        ${file}`)
    } else if (once) say(`yours      ${file} (stays as it is)`)
    else {
      if (!isUnedited(present)) fs.writeFileSync(`${file}.bak`, present, { mode })
      fs.writeFileSync(file, text)
      say(
        isUnedited(present)
          ? `changed    ${file}`
          : `changed    ${file} (you had edited it: yours is ${file}.bak; use "systemctl edit" instead)`,
      )
    }
    fs.chmodSync(file, mode)
  }
}

/** Removes written files; keeps those somebody has edited. */
export function removeFiles(files: readonly PlannedFile[], say = toConsole) {
  for (const { path: file } of files) {
    const present = read(file)
    if (present === undefined) continue
    if (isUnedited(present)) {
      fs.rmSync(file)
      say(`removed    ${file}`)
    } else say(`yours      ${file} (you have edited it: it stays)`)
  }
}
