import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { fileQueryShape } from '#domain/file-query.ts'
import { defaultPageSize } from '#domain/list.ts'
import { navigationConstants } from '#domain/navigation/constants.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedDay } from '#entities/define/typed-dates.ts'
import { typedLine } from '#entities/define/typed-text.ts'
import { chartKinds, figureKinds, filterNames } from './report.ts'

/** Query of every report; its description lists the supported filters. */
const question = {
  year: z
    .string()
    .regex(/^\d{4}\/\d{4}$|^all$/)
    .optional(),
  waveId: z.uuid().optional(),
  trackId: z.uuid().optional(),
  facultyId: z.uuid().optional(),
  programmeId: z.uuid().optional(),
  classProgrammeId: z.uuid().optional(),
  provinceId: z.uuid().optional(),
  cityId: z.uuid().optional(),
  affiliateId: z.uuid().optional(),
  from: typedDay.optional(),
  to: typedDay.optional(),
  /** Comma-separated groups whose combinations form the lines. */
  by: z.string().max(100).optional(),
  /** Only figure of a pivot, or figure whose rows are read; by default the first. */
  figure: z.string().max(40).optional(),
  /**
   * Compares with a year earlier, at the same day of the season or of the calendar. `yes`, in older addresses, means
   * season.
   */
  compare: z.enum(['season', 'calendar', 'no', 'yes']).default('season'),
}
const cell = {
  /** Keys of the line, as `programme:<id>;wave:<id>`, each percent-encoded; empty for the total. */
  cell: z.string().max(500).default(''),
  /** `before` lists the rows behind last year's figure, which is shown below the current one. */
  moment: z.enum(['now', 'before']).default('now'),
  /** Rows whose name or code contains this. */
  search: typedLine().min(navigationConstants.searchMinimumLength).max(100).optional(),
  /** Column that orders the rows, with `-` for descending; by default the report's order. */
  sort: z
    .string()
    .regex(/^-?[a-zA-Z0-9]{1,40}$/)
    .optional(),
}
const value = z.union([z.string(), z.number(), z.boolean(), z.null()])
const values = z.record(z.string(), z.number().nullable())
const named = z.object({ key: z.string(), label: z.string() })
const figure = z.object({ key: z.string(), label: z.string(), kind: z.enum(figureKinds) })

const line = z.object({
  /** Key of each group of the line: all groups, one for a pivot's subtotal, none for the total. */
  keys: z.record(z.string(), z.string().nullable()),
  labels: z.record(z.string(), z.string()),
  values,
  /** Values a year earlier; null without a comparison. */
  before: values.nullable(),
})
export type ReportLine = z.output<typeof line>

const questionAnswer = z.object({
  /** Groups of the lines, in order. */
  by: z.array(z.string()),
  year: z.string().nullable(),
  asOf: time,
  before: z
    .object({
      year: z.string().nullable(),
      asOf: time,
      /** `calendar` if there is no season to compare with. */
      by: z.enum(['season', 'calendar']),
      /** Days by which the season's day falls later in the earlier year than the calendar's. */
      daysMoved: z.int(),
    })
    .nullable(),
  /** What the figures of a chart over time approach, such as the places; null for none. */
  target: z.number().nullable(),
})

const description = z.object({
  slug: z.string(),
  question: z.string(),
  counting: z.string(),
  shape: z.enum(['lines', 'pivot', 'rows']),
  /** `isOrdered`: the order of the group's lines has a meaning; `isTime`: they are periods. */
  groups: z.array(named.extend({ isOrdered: z.boolean(), isTime: z.boolean() })),
  by: z.array(z.string()),
  figures: z.array(figure),
  shares: z.array(figure),
  /** Drill-down from a line: the filter its key becomes, and the groups that follow. */
  steps: z.array(z.object({ group: z.string(), filter: z.enum(filterNames), by: z.array(z.string()) })),
  /** Whether the report can compare with a year earlier. */
  compares: z.boolean(),
  filters: z.array(
    z.object({
      key: z.enum(filterNames),
      label: z.string(),
      choices: z.array(z.object({ value: z.string(), label: z.string() })).nullable(),
    }),
  ),
  chart: z
    .object({
      kind: z.enum(chartKinds),
      of: z.array(z.string()),
      /** The same figures without running totals, for lines that are not periods. */
      base: z.array(z.string()),
      /** Group whose lines each get their own chart. */
      per: z.string().nullable(),
      /** Figure of the line that a chart over time approaches. */
      target: z.string().nullable(),
    })
    .nullable(),
  /** Figures whose rows are the report's own rows, in order of preference. */
  rowsOf: z.array(z.string()),
})
export type ReportDescription = z.output<typeof description>

const rowColumn = z.object({
  key: z.string(),
  label: z.string(),
  kind: z.enum(['text', 'number', 'decimal', 'money', 'date', 'dateTime']),
})
export type ReportColumn = z.output<typeof rowColumn>

/** Endpoints of a report; its permission equals its name. */
export const reportCalls = (slug: string) => {
  const access = `laporan-${slug}`
  return {
    describe: endpoint({
      method: 'GET',
      path: `/reports/${slug}`,
      access,
      summary: 'What a report answers and how it is counted, with its groups, figures and the choices of its filters',
      response: z.object({ data: description }),
    }),
    read: endpoint({
      method: 'GET',
      path: `/reports/${slug}/figures`,
      access,
      summary: 'Lines and total of a report at a moment, with the same day of the year before',
      query: z.strictObject(question),
      response: z.object({ data: z.object({ lines: z.array(line), total: line }), meta: questionAnswer }),
    }),
    listRows: endpoint({
      method: 'GET',
      path: `/reports/${slug}/rows`,
      access,
      summary: 'The rows behind one figure of a line, or of the total: as many as the figure says',
      query: z.strictObject({
        ...question,
        ...cell,
        page: z.coerce.number().int().min(1).max(100_000).default(1),
        per_page: z.coerce.number().int().min(1).max(100).default(defaultPageSize),
      }),
      response: z.object({
        data: z.array(z.object({ id: z.string(), path: z.string().nullable(), cells: z.record(z.string(), value) })),
        meta: z.object({
          /** Whether these rows can be searched. */
          searchable: z.boolean(),
          total: z.int(),
          /** Total of the rows, if the figure is a sum. */
          sum: z.number().nullable(),
          columns: z.array(rowColumn),
          asOf: time,
        }),
      }),
    }),
    exportFigures: endpoint({
      method: 'GET',
      path: `/reports/${slug}/export`,
      access,
      summary: 'Lines and total of a report, as XLSX, CSV or PDF',
      query: z.strictObject({ ...question, ...fileQueryShape() }),
      response: z.any(),
    }),
    exportRows: endpoint({
      method: 'GET',
      path: `/reports/${slug}/rows/export`,
      access,
      summary: 'The rows behind one figure of a report, as XLSX, CSV or PDF',
      query: z.strictObject({ ...question, ...cell, format: fileQueryShape().format }),
      response: z.any(),
    }),
  }
}
export type ReportCalls = ReturnType<typeof reportCalls>
export type ReportQuestion = z.output<ReportCalls['read']['query']>
