import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { adjustmentInput } from '#domain/fees/endpoints.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedDay, typedMoment } from '#entities/define/typed-dates.ts'
import { typedLine } from '#entities/define/typed-text.ts'
import { sameWeekdayNextYear } from './dates.ts'
import { pricedSections, type YearSection, yearSections } from './sections.ts'

const section = z.enum(yearSections)
const value = z.union([z.string(), z.number(), z.array(z.number()), z.null()])
const values = z.record(z.string(), value)

/** Values that replace those of a source row; `sectionRules` lists the editable fields. */
const edit = z.strictObject({
  code: z.string().max(40).optional(),
  name: typedLine().max(200).optional(),
  semesterCode: z.string().max(10).optional(),
  opensAt: typedMoment.optional(),
  closesAt: typedMoment.optional(),
  resultsAt: typedMoment.nullable().optional(),
  confirmationDueAt: typedMoment.nullable().optional(),
  quota: z.number().nullable().optional(),
  capacity: z.number().nullable().optional(),
  passingGrade: z.number().nullable().optional(),
  amount: z.number().nullable().optional(),
  minimumAmount: z.number().nullable().optional(),
  suggestedAmounts: z.array(z.number()).max(20).nullable().optional(),
  validFrom: typedDay.nullable().optional(),
  validTo: typedDay.nullable().optional(),
  date: typedDay.optional(),
  location: typedLine().max(400).optional(),
})
export type YearEdit = z.output<typeof edit>

const yearPlan = z.strictObject({
  sourceYear: z.string().max(9),
  academicYear: z.string().max(9),
  /** Days by which every date moves unless edited. */
  shiftDays: z.int().min(-3_700).max(3_700).default(sameWeekdayNextYear),
  contents: z.array(section).default([]),
  prices: z
    .strictObject(Object.fromEntries(pricedSections.map((key) => [key, adjustmentInput.optional()])))
    .default({}),
  /** Source rows left out of the copy. */
  skip: z.array(z.uuid()).max(5_000).default([]),
  edits: z.record(z.uuid(), edit).default({}),
})
export type YearPlan = z.output<typeof yearPlan>
export type YearPlanInput = z.input<typeof yearPlan>

const plannedRow = z.object({
  /** Id of the source row. */
  id: z.uuid(),
  waveId: z.uuid().nullable(),
  title: z.string(),
  from: values,
  to: values,
  skipped: z.boolean(),
  /** Parts shown below the row: tuition components, plan terms. */
  lines: z.array(z.object({ title: z.string(), from: z.string(), to: z.string() })),
})
export type PlannedRow = z.output<typeof plannedRow>

const plannedSection = z.object({
  key: section,
  chosen: z.boolean(),
  /** Permissions the reader lacks; any of them blocks the section. */
  missing: z.array(z.string()),
  /** Number of rows that will be written. */
  count: z.int(),
  /** Number of rows left out because they, or rows they reference, are inactive. */
  inactive: z.int(),
  rows: z.array(plannedRow),
})
export type PlannedSection = z.output<typeof plannedSection>

const problem = z.object({
  section: z.union([section, z.literal('year')]),
  /** Id of the source row; null if the problem concerns the year itself. */
  id: z.uuid().nullable(),
  title: z.string(),
  field: z.string(),
  message: z.string(),
})
export type YearProblem = z.output<typeof problem>

const preview = z.object({
  sections: z.array(plannedSection),
  problems: z.array(problem),
  /** Waves that already exist in the new year. */
  existingWaves: z.array(z.string()),
  /** Rows without a year, which need no copy. */
  stays: z.object({ trackFiles: z.int(), plansForEveryWave: z.int(), plansWithPastDates: z.array(z.string()) }),
  fingerprint: z.string(),
})
export type YearPreview = z.output<typeof preview>

const yearCopy = z.object({
  id: z.uuid(),
  sourceYear: z.string(),
  academicYear: z.string(),
  counts: z.partialRecord(section, z.int()),
  createdAt: time,
  createdBy: z.string(),
  undoneAt: time.nullable(),
})
export type YearCopy = z.output<typeof yearCopy>

export type YearCounts = Partial<Record<YearSection, number>>

export const listAdmissionYears = endpoint({
  method: 'GET',
  path: '/admission-years',
  access: 'master-periode-create',
  summary: 'Academic years that have waves, newest first, and the years made from others',
  response: z.object({
    data: z.object({
      years: z.array(z.object({ academicYear: z.string(), waves: z.array(z.string()) })),
      copies: z.array(yearCopy),
    }),
  }),
})

export const previewAdmissionYear = endpoint({
  method: 'POST',
  path: '/admission-years/preview',
  access: 'master-periode-create',
  reads: true,
  summary: 'Every row a new admission year would take over, old beside new, and everything that stands in its way',
  body: yearPlan,
  response: z.object({ data: preview }),
})

export const createAdmissionYear = endpoint({
  method: 'POST',
  path: '/admission-years',
  access: 'master-periode-create',
  summary: 'Write a new admission year as its preview showed it; sent again with the same id it is written once',
  body: yearPlan.extend({ id: z.uuid(), fingerprint: z.string().max(100) }),
  response: z.object({ data: yearCopy }),
})

const usage = z.object({ what: z.string(), count: z.int() })

export const readYearUndo = endpoint({
  method: 'GET',
  path: '/admission-years/:id/undo',
  access: 'master-periode-create',
  summary: 'What taking back a new admission year would delete, and what uses it already',
  params: z.object({ id: z.uuid() }),
  response: z.object({
    data: z.object({ rows: z.int(), changedSince: z.int(), gone: z.int(), usedBy: z.array(usage) }),
  }),
})

export const undoAdmissionYear = endpoint({
  method: 'DELETE',
  path: '/admission-years/:id',
  access: 'master-periode-create',
  summary: 'Take back a new admission year while nothing uses its rows',
  params: z.object({ id: z.uuid() }),
  response: z.object({ data: yearCopy }),
})
