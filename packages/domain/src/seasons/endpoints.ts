import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { fileQueryShape } from '#domain/file-query.ts'
import type { ReportSlug } from '#domain/reports/report-names.ts'
import { time } from '#entities/define/answer-time.ts'

/** Reports that show a forecast below their figures. */
export const forecastReports = ['total-pendaftaran', 'pendaftaran-prodi'] as const satisfies readonly ReportSlug[]
export type ForecastReport = (typeof forecastReports)[number]

export const keepSeasons = endpoint({
  method: 'POST',
  path: '/seasons/keep',
  access: 'ops-invariants',
  summary: 'Store the figures of every season day that has ended, as the nightly job does',
  response: z.object({
    data: z.object({
      /** The last stored day; null before the first registration. */
      until: z.string().nullable(),
      /** Days stored by this call; 0 if there were none left. */
      days: z.int(),
      rows: z.int(),
    }),
  }),
})

/** Report filters that the forecast follows; it always covers the current season. */
export const forecastFilters = ['waveId', 'trackId', 'facultyId', 'programmeId', 'classProgrammeId'] as const
const filters = Object.fromEntries(forecastFilters.map((name) => [name, z.uuid().optional()])) as Record<
  (typeof forecastFilters)[number],
  z.ZodOptional<z.ZodUUID>
>

const range = z.object({ expected: z.int(), low: z.int(), high: z.int() })
const lineShape = {
  submitted: z.int(),
  enrolled: z.int(),
  /** Places of active offers; null with a filter that offers do not have. */
  places: z.int().nullable(),
  ...range.shape,
  /** Forecast of the same method for this day a year earlier, and how many enrolled in the end. */
  lastYear: range.extend({ came: z.int() }).nullable(),
}
const line = z.object({
  programmeId: z.uuid(),
  label: z.string(),
  ...lineShape,
  /** Whether an earlier season had registrations for this programme on this day. */
  hasHistory: z.boolean(),
})
export type ForecastLine = z.output<typeof line>
export type ForecastTotal = Pick<ForecastLine, keyof typeof lineShape>

const forecast = z.object({
  /** Academic year of the forecast; null before the first one. */
  year: z.string().nullable(),
  /** Earlier academic years behind the forecast; empty if there is none. */
  earlier: z.array(z.string()),
  lines: z.array(line),
  total: z.object(lineShape).nullable(),
  /** The previous year and its day corresponding to today; null if no earlier season exists to forecast it from. */
  tested: z
    .object({
      year: z.string(),
      at: time,
      /** Programmes whose students came within the range, out of `of` with registrations then. */
      within: z.int(),
      of: z.int(),
    })
    .nullable(),
})
export type ForecastAnswer = z.output<typeof forecast>

export const forecastCalls = (slug: ForecastReport) => {
  const access = `laporan-${slug}`
  return {
    read: endpoint({
      method: 'GET',
      path: `/reports/${slug}/forecast`,
      access,
      summary: 'Forecast of enrolments per study programme as a range, and how far the method was off a year earlier',
      query: z.strictObject(filters),
      response: z.object({
        data: forecast,
        meta: z.object({
          asOf: time,
          /** The last stored day; null if there is none. */
          keptUntil: z.string().nullable(),
        }),
      }),
    }),
    export: endpoint({
      method: 'GET',
      path: `/reports/${slug}/forecast/export`,
      access,
      summary: 'The forecast of a report, as XLSX, CSV or PDF',
      query: z.strictObject({ ...filters, ...fileQueryShape() }),
      response: z.any(),
    }),
  }
}
export type ForecastQuery = z.output<ReturnType<typeof forecastCalls>['read']['query']>
