import type { YearPlan, YearProblem } from '#domain/admission-year/endpoints.ts'
import { sectionRules, type YearSection } from '#domain/admission-year/sections.ts'
import { mustGet } from '#domain/must.ts'
import { sentenceOfIssue } from '#domain/problem-sentences.ts'
import type { Language } from '#entities/define/language.ts'
import { problemsOf } from '#entities/define/rules.ts'
import { createSchema } from '#entities/define/schema.ts'
import { getEntity } from '#entities/index.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { FieldError } from '#server/platform/errors.ts'
import { sentences, wordsIn } from '#server/platform/text.ts'
import type { ExistingCodes, NewRow } from './plan-year.ts'
import { isAcademicYear } from './rename-year.ts'

/** Codes in use, in lower case, for the sections whose rows have a code. */
export async function findExistingCodes(db: Db): Promise<ExistingCodes> {
  const codesOf = async (table: 'waves' | 'installmentPlans' | 'discounts') =>
    new Set((await db.selectFrom(table).select('code').execute()).map(({ code }) => code.toLowerCase()))
  return {
    waves: await codesOf('waves'),
    installmentPlans: await codesOf('installmentPlans'),
    discounts: await codesOf('discounts'),
  }
}

/** Every problem in the planned year, in the given language. */
export function findYearProblems(
  plan: YearPlan,
  rows: readonly NewRow[],
  existingCodes: ExistingCodes,
  language: Language,
): YearProblem[] {
  const t = sentences(language)
  const sentenceOf = (error: FieldError) =>
    typeof error === 'string' ? t(`errors:${error}`) : t(`errors:${error.code}`, error.params)
  const problems: YearProblem[] = []
  const addYearProblem = (field: string, error: FieldError) =>
    problems.push({ section: 'year', id: null, title: plan.academicYear, field, message: sentenceOf(error) })
  if (!isAcademicYear(plan.academicYear)) addYearProblem('academicYear', 'academic_year_format')
  else if (plan.academicYear === plan.sourceYear) addYearProblem('academicYear', 'academic_year_same')
  const written = rows.filter(({ skipped }) => !skipped)
  if (!written.some(({ section }) => section === 'waves')) addYearProblem('sourceYear', 'year_without_waves')

  const schemas = new Map<YearSection, ReturnType<typeof createSchema>>()
  const codes = new Map<YearSection, Map<string, number>>()
  for (const { section, values } of written)
    if (typeof values.code === 'string') {
      const codeCounts = codes.get(section) ?? new Map<string, number>()
      const code = values.code.toLowerCase()
      codes.set(section, codeCounts.set(code, (codeCounts.get(code) ?? 0) + 1))
    }
  for (const { section, source, values } of written) {
    const entity = getEntity(sectionRules[section].entity)
    const add = (field: string, message: string) =>
      problems.push({ section, id: source.id, title: source.title, field, message })
    const schema = schemas.get(section) ?? createSchema(entity)
    schemas.set(section, schema)
    const input = { ...values }
    if (entity.parent) delete input[entity.parent.field]
    const checked = schema.safeParse(input, { reportInput: true })
    for (const issue of checked.error?.issues ?? [])
      add(String(issue.path[0] ?? 'form'), sentenceOfIssue(issue, wordsIn(language)))
    for (const [field, errors] of Object.entries(problemsOf(entity, values, language)))
      for (const error of [errors].flat()) add(field, sentenceOf(error))
    if (typeof values.code === 'string') {
      const code = values.code.toLowerCase()
      if (existingCodes[section]?.has(code) || mustGet(mustGet(codes, section), code) > 1)
        add('code', sentenceOf('already_exists'))
    }
  }
  return problems
}
