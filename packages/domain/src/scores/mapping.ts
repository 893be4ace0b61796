import { z } from 'zod'
import { typedLine } from '#entities/define/typed-text.ts'

/** Content of a column in another system's file. `part` is a number behind the score, such as correct answers. */
export const columnKinds = ['code', 'number', 'name', 'birthDate', 'package', 'attendance', 'score', 'part'] as const
export type ColumnKind = (typeof columnKinds)[number]

const heading = typedLine().min(1).max(200)

export const partName = typedLine().min(1).max(40)

export const columnMapping = z.discriminatedUnion('as', [
  z.strictObject({ header: heading, as: z.enum(['code', 'number', 'name', 'birthDate', 'package', 'attendance']) }),
  z.strictObject({ header: heading, as: z.literal('score'), testId: z.uuid() }),
  z.strictObject({ header: heading, as: z.literal('part'), testId: z.uuid(), part: partName }),
])
export type ColumnMapping = z.output<typeof columnMapping>

/** Columns that are read; all others are ignored. */
export const scoreMapping = z.array(columnMapping).max(60)
export type ScoreMapping = z.output<typeof scoreMapping>

/** Ignores letter case, spaces, dashes, dots and underscores of a heading. */
export const headingKey = (heading: string) =>
  heading
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_.-]+/g, '')

export const mappingProblems = ['no_person_column', 'no_score_column', 'column_twice'] as const
export type MappingProblem = (typeof mappingProblems)[number]

/**
 * Why a mapping is unusable; null if it is usable: it must identify the person, contain a score, and use each target
 * once.
 */
export function mappingProblem(mapping: ScoreMapping): MappingProblem | null {
  const targets = mapping.map((column) =>
    column.as === 'score'
      ? `score ${column.testId}`
      : column.as === 'part'
        ? `part ${column.testId} ${column.part}`
        : column.as,
  )
  if (new Set(targets).size < targets.length) return 'column_twice'
  const kinds = new Set(mapping.map(({ as }) => as))
  if (!kinds.has('score')) return 'no_score_column'
  return kinds.has('code') || kinds.has('number') || (kinds.has('name') && kinds.has('birthDate'))
    ? null
    : 'no_person_column'
}

/** Common headings in either language. */
const usualHeadings: Record<Exclude<ColumnKind, 'score' | 'part'>, readonly string[]> = {
  code: ['kode pendaftaran', 'no pendaftaran', 'nomor pendaftaran', 'nomor daftar', 'registration code', 'kode'],
  number: ['no peserta', 'nomor peserta', 'no tes', 'nomor tes', 'test number', 'username', 'user name'],
  name: ['nama', 'nama lengkap', 'nama peserta', 'name', 'full name'],
  birthDate: ['tanggal lahir', 'tgl lahir', 'birth date', 'date of birth'],
  package: ['paket', 'paket soal', 'kode soal', 'package'],
  attendance: ['kehadiran', 'hadir', 'status kehadiran', 'attendance'],
}
const usualScores = ['nilai', 'skor', 'score', 'nilai akhir', 'total', 'grade']

type Test = { id: string; code: string; name: string }

/** Guesses a mapping from common headings and headings that name a test. */
export function guessMapping(headers: readonly string[], tests: readonly Test[]): ScoreMapping {
  const kindOf = new Map(
    Object.entries(usualHeadings).flatMap(([kind, names]) =>
      names.map((name) => [headingKey(name), kind as keyof typeof usualHeadings] as const),
    ),
  )
  const mapping: ScoreMapping = []
  for (const header of headers) {
    const key = headingKey(header)
    const kind = kindOf.get(key)
    const test = tests.find(({ code, name }) => [code, name].some((word) => key === headingKey(word)))
    const onlyTest = tests.length === 1 && usualScores.map(headingKey).includes(key) ? tests[0] : undefined
    if (kind && !mapping.some(({ as }) => as === kind)) mapping.push({ header, as: kind })
    else if (test) mapping.push({ header, as: 'score', testId: test.id })
    else if (onlyTest && !mapping.some(({ as }) => as === 'score'))
      mapping.push({ header, as: 'score', testId: onlyTest.id })
  }
  return mapping
}

/** Whether a file with these headings has all columns of the mapping. */
export function fitsHeaders(mapping: ScoreMapping, headers: readonly string[]): boolean {
  const keys = new Set(headers.map(headingKey))
  return mapping.every(({ header }) => keys.has(headingKey(header)))
}

const absentWords = new Set(['absen', 'absent', 'tidak hadir', 'tidak', 'th', 'no', 'n', '0', 'alpa', 'a', 'false'])

/** Whether the cell of an attendance column means absent. */
export const saysAbsent = (cell: string) => absentWords.has(cell.trim().toLowerCase())
