import { universityCalendar } from '#domain/calendar.ts'
import { mustGet } from '#domain/must.ts'
import { saysAbsent } from '#domain/scores/mapping.ts'
import { sentenceOf } from '#server/modules/transfer/imports/problems.ts'
import { readDay } from '#server/modules/transfer/imports/read-cell.ts'
import type { Db } from '#server/platform/database/database.ts'
import { isCutNumber, type SheetLine, wrongWidth } from '#server/platform/sheets/sheet-reader.ts'
import { slicesOf } from '#server/platform/slices.ts'
import { findByCode, findById, findByNumber, type Person, proposePeople, type UnknownPerson } from './find-people.ts'
import type { PlacedColumn, PlacedColumns } from './place-columns.ts'
import { cellText, readScore, toHundredths } from './score-file.ts'
import { problemOfRow, type ScoreProblem, scoreProblem } from './score-problems.ts'

export type Test = { id: string; name: string; maxScore: number }

type Planning = {
  now: Date
  waveId: string
  testSessionId: string | null
  /** Known system whose numbers are used to find people. */
  profileId: string | null
  /** The heading row. */
  headings: SheetLine
  columns: PlacedColumns
  tests: ReadonlyMap<string, Test>
  /** Tests of each session of the wave. */
  testsOfSession: ReadonlyMap<string, ReadonlySet<string>>
  /** Confirmed registration by row; null if staff said it is none of the proposed people. */
  confirmed: ReadonlyMap<number, string | null>
}

export type PlannedScore = {
  row: number
  registrationId: string
  testId: string
  score: number
  package: string | null
  parts: Record<string, number>
  personNumber: string | null
  decided: boolean
}

export type Plan = {
  scores: PlannedScore[]
  problems: ScoreProblem[]
  proposals: (UnknownPerson & { candidates: string[] })[]
  rowsTotal: number
  rowsWrong: number
  /** Rows without a score, and rows confirmed as nobody. */
  rowsIgnored: number
}

type Keys = { line: SheetLine; code: string; number: string; name: string; birthDate: string | null }

const isOpen = (status: string) => !['draft', 'withdrawn', 'cancelled', 'expired'].includes(status)
const isDecided = (status: string) => ['decided', 'confirmed', 'enrolled'].includes(status)

/** Rows per turn; more would block other requests. */
const rowsAtOnce = 100

/** Matches rows with people and reads their scores; writes nothing. */
export async function planImport(db: Db, lines: readonly SheetLine[], planning: Planning): Promise<Plan> {
  const { columns, profileId, waveId, confirmed } = planning
  const textOf = (line: SheetLine, column: PlacedColumn | undefined) => (column ? cellText(line, column.index) : '')
  const rows: Keys[] = []
  const unreadable: ScoreProblem[] = []
  for await (const slice of slicesOf(lines, rowsAtOnce))
    for (const line of slice) {
      const width = wrongWidth(planning.headings, line)
      if (width) {
        unreadable.push(problemOfRow(line, sentenceOf({ key: 'cells', params: width })))
        continue
      }
      const cut = Object.values(columns)
        .flat()
        .find((column) => column && isCutNumber(line.cells[column.index] ?? ''))
      if (cut) {
        unreadable.push(scoreProblem(line, cut, 'number_cut'))
        continue
      }
      rows.push({
        line,
        code: textOf(line, columns.code),
        number: textOf(line, columns.number).slice(0, 60),
        name: textOf(line, columns.name),
        birthDate: readDay(textOf(line, columns.birthDate)),
      })
    }
  const codes = rows.flatMap(({ code, number }) => [code, number].filter(Boolean))
  const [byCode, byNumber, byId] = await Promise.all([
    findByCode(db, codes),
    profileId
      ? findByNumber(db, { profileId, waveId }, rows.map(({ number }) => number).filter(Boolean))
      : new Map<string, Person>(),
    findById(
      db,
      [...confirmed.values()].filter((id) => id !== null),
    ),
  ])
  const personOf = ({ line, code, number }: Keys) =>
    byId.get(confirmed.get(line.number) ?? '') ??
    byCode.get(code.toUpperCase()) ??
    // Many systems use the registration code as their number.
    (code === '' ? (byNumber.get(number) ?? byCode.get(number.toUpperCase())) : undefined)

  const hasScore = ({ line }: Keys) => columns.scores.some((column) => cellText(line, column.index) !== '')
  const scored = rows.filter((row) => hasScore(row) && confirmed.get(row.line.number) !== null)
  const unknown = scored.filter((row) => row.name !== '' && !personOf(row))
  const candidates = await proposePeople(
    db,
    waveId,
    unknown.map(({ line, name, birthDate }) => ({ row: line.number, name, birthDate })),
  )

  const plan: Plan = {
    scores: [],
    problems: unreadable,
    proposals: [],
    rowsTotal: lines.length,
    rowsWrong: unreadable.length,
    rowsIgnored: rows.length - scored.length,
  }
  const firstRows = new Map<string, number>()
  for await (const slice of slicesOf(scored, rowsAtOnce)) for (const row of slice) planRow(row)
  plan.problems.sort((a, b) => a.row - b.row)
  return plan

  function planRow(row: Keys) {
    const person = personOf(row)
    const proposed = candidates.get(row.line.number)
    if (!person && proposed) {
      plan.proposals.push({ row: row.line.number, name: row.name, birthDate: row.birthDate, candidates: proposed })
      return
    }
    const problems = person
      ? [...problemsOfPerson(row, person, planning), ...readScores(row, person, planning, plan.scores, firstRows)]
      : [problemOfUnknown(row, columns)]
    if (problems.length === 0) return
    plan.problems.push(...problems)
    plan.rowsWrong++
    // Write a row completely or not at all.
    while (plan.scores.at(-1)?.row === row.line.number) plan.scores.pop()
  }
}

const keyColumn = ({ code, number, name }: PlacedColumns) => code ?? number ?? name

function problemOfUnknown(row: Keys, columns: PlacedColumns): ScoreProblem {
  const key = row.code ? columns.code : row.number ? columns.number : keyColumn(columns)
  const named = row.code || row.number || row.name
  return scoreProblem(row.line, key, named ? 'unknown' : 'nobody')
}

/** Problems that prevent all scores of the row. */
function problemsOfPerson(row: Keys, person: Person, planning: Planning): ScoreProblem[] {
  const { columns, testSessionId, waveId } = planning
  const refuse = (key: Parameters<typeof scoreProblem>[2], params = {}, column = keyColumn(columns)) => [
    scoreProblem(row.line, column, key, { ...params, code: person.code }),
  ]
  if (person.waveId !== waveId) return refuse('other_wave', { wave: person.wave })
  if (!isOpen(person.status)) return refuse('not_taking_part')
  if (!person.sessionId) return refuse('no_seat')
  if (testSessionId && person.sessionId !== testSessionId) return refuse('other_session', { session: person.session })
  if (row.name !== '' && !confirmedOf(row, planning) && !sharesWord(row.name, person.name))
    return refuse('other_name', { name: person.name }, columns.name)
  if (person.seatStatus === 'absent') return refuse('absent')
  if (isAhead(person, planning.now)) return refuse('session_ahead', { session: person.session })
  const attendance = columns.attendance && cellText(row.line, columns.attendance.index)
  if (attendance && saysAbsent(attendance)) return refuse('absent_in_file', {}, columns.attendance)
  return []
}

/** Whether the person's session is still ahead; false if they are marked as present. */
function isAhead({ seatStatus, sessionDate, sessionTime }: Person, now: Date): boolean {
  if (seatStatus === 'attended' || !sessionDate || !sessionTime) return false
  return universityCalendar().momentOf(`${sessionDate} ${sessionTime}:00`) > now
}

const confirmedOf = ({ line }: Keys, { confirmed }: Planning) => confirmed.get(line.number) !== undefined

const wordsOf = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean)

/** Whether two names share a word. Titles and word order differ between systems. */
function sharesWord(one: string, other: string): boolean {
  const words = new Set(wordsOf(one))
  return words.size === 0 || wordsOf(other).some((word) => words.has(word))
}

/** Adds a row's scores to `scores` and returns its problems. */
function readScores(
  { line, number }: Keys,
  person: Person,
  { columns, tests, testsOfSession }: Planning,
  scores: PlannedScore[],
  firstRows: Map<string, number>,
): ScoreProblem[] {
  const problems: ScoreProblem[] = []
  const refuse = (column: PlacedColumn, ...[key, params]: [Parameters<typeof scoreProblem>[2], object?]) =>
    problems.push(scoreProblem(line, column, key, { ...params }))
  const { package: packageColumn } = columns
  const packageName = packageColumn ? cellText(line, packageColumn.index) : ''
  if (packageColumn && packageName.length > 40) refuse(packageColumn, 'package_long')
  for (const column of columns.scores) {
    if (cellText(line, column.index) === '') continue
    const test = mustGet(tests, column.testId)
    const read = readScore(line.cells[column.index]!)
    if ('problem' in read) refuse(column, read.problem)
    else if (read.score < 0 || read.score > test.maxScore) refuse(column, 'outside', { maximum: test.maxScore })
    else if (!testsOfSession.get(person.sessionId ?? '')?.has(test.id))
      refuse(column, 'not_tested', { test: test.name, session: person.session })
    const key = `${person.id} ${test.id}`
    const firstRow = firstRows.get(key)
    if (firstRow !== undefined) refuse(column, 'twice', { row: firstRow })
    else firstRows.set(key, line.number)
    const parts: Record<string, number> = {}
    for (const part of columns.parts) {
      if (part.testId !== test.id || cellText(line, part.index) === '') continue
      const value = readScore(line.cells[part.index]!)
      if ('problem' in value) refuse(part, value.problem)
      else if (Math.abs(value.score) > 100_000) refuse(part, 'not_a_number')
      else parts[part.part] = toHundredths(value.score)
    }
    if (problems.length === 0 && 'score' in read)
      scores.push({
        row: line.number,
        registrationId: person.id,
        testId: test.id,
        score: toHundredths(read.score),
        package: packageName || null,
        parts,
        personNumber: number || null,
        decided: isDecided(person.status),
      })
  }
  return problems
}
