import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ForecastQuery, ForecastReport, ForecastTotal } from '#domain/seasons/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { dateTime, longDate } from '#locales/format.ts'
import { streamRows } from '#server/modules/reports/engine/export-report.ts'
import { filterChoices } from '#server/modules/reports/engine/read-question.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import type { SheetColumn, SheetRow } from '#server/platform/sheets/columns.ts'
import { refuseUnknownColumns } from '#server/platform/sheets/refusals.ts'
import { type SheetFormat, sendExport } from '#server/platform/sheets/send-export.ts'
import { sentences } from '#server/platform/text.ts'
import { readForecast } from './read-forecast.ts'

const names = ['submitted', 'enrolled', 'places', 'low', 'expected', 'high'] as const
const namesLastYear = ['low', 'expected', 'high', 'came'] as const

/** Exports the forecast as shown on its page, with the test on the year before. */
export async function exportForecast(
  services: Services,
  request: FastifyRequest & { query: ForecastQuery & { format: SheetFormat; columns?: string | undefined } },
  reply: FastifyReply,
  slug: ForecastReport,
  language: Language,
) {
  const { format, columns: chosenColumns, ...query } = request.query
  const actor = actorOf(request)
  const { data, at } = await readForecast(services, actor, query)
  const { tested } = data
  const t = sentences(language)
  const { timeZone } = await getSettings(services.db)
  const chosen = (await filterChoices(services.db, actor, Object.keys(query) as (keyof ForecastQuery)[])).flatMap(
    ({ key, choices }) => {
      const id = query[key as keyof ForecastQuery]
      return id
        ? [{ label: t(`reports:filters.${key}`), value: choices?.find(({ value }) => value === id)?.label ?? id }]
        : []
    },
  )
  const all: SheetColumn[] = [
    { key: 'label', label: t('seasons:columns.programme'), kind: 'text' },
    ...names.map((key) => ({ key, label: t(`seasons:columns.${key}`), kind: 'number' as const })),
    ...(tested
      ? namesLastYear.map((key) => ({
          key: `${key}LastYear`,
          label: t('seasons:columns.lastYear', { year: tested.year, column: t(`seasons:columns.${key}`) }),
          kind: 'number' as const,
        }))
      : []),
  ]
  const columnKeys = chosenColumns?.split(',')
  refuseUnknownColumns(
    columnKeys ?? [],
    all.map(({ key }) => key),
  )
  const columns = columnKeys ? all.filter(({ key }) => key === 'label' || columnKeys.includes(key)) : all
  const rowOf = (label: string, { lastYear, ...line }: ForecastTotal): SheetRow => ({
    label,
    ...Object.fromEntries(names.map((key) => [key, line[key]])),
    ...(lastYear && Object.fromEntries(namesLastYear.map((key) => [`${key}LastYear`, lastYear[key]]))),
  })
  return sendExport(services, request, reply, {
    name: `prakiraan-${slug}`,
    title: t('seasons:title'),
    format,
    columns,
    rows: streamRows([
      ...data.lines.map((line) => rowOf(line.label, line)),
      ...(data.total ? [rowOf(t('reports:total'), data.total)] : []),
    ]),
    filter: [
      { label: t('reports:filters.asOf'), value: dateTime(at, language, timeZone) },
      { label: t('reports:filters.year'), value: data.year ?? '–' },
      ...chosen,
      ...(data.tested
        ? [{ label: t('seasons:testedOn'), value: longDate(data.tested.at.slice(0, 10), language) }]
        : []),
    ],
  })
}
