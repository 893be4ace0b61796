import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Expression } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import { languageOfRequest } from '#server/platform/error-handler.ts'
import type { Services } from '#server/platform/services.ts'
import { readRows } from '#server/platform/sheets/read-rows.ts'
import { sendExport } from '#server/platform/sheets/send-export.ts'
import { sentences } from '#server/platform/text.ts'
import { exportedDays, exportedDifferences, exportedLines } from './reconciliation-lists.ts'

type Column = [key: string, kind: 'text' | 'number' | 'money' | 'sen' | 'date' | 'dateTime']

/** Lists of the reconciliation as files: their rows, and which of their columns are words of ours. */
const lists = {
  days: {
    rows: exportedDays,
    columns: [
      ['day', 'date'],
      ['accountName', 'text'],
      ['state', 'text'],
      ['ledgerCount', 'number'],
      ['ledgerTotal', 'money'],
      ['reportedCount', 'number'],
      ['reportedTotal', 'money'],
      ['statementCount', 'number'],
      ['statementTotalSen', 'sen'],
      ['explainedTotalSen', 'sen'],
      ['differences', 'number'],
      ['openDifferences', 'number'],
    ],
    words: { state: 'dayState' },
  },
  differences: {
    rows: exportedDifferences,
    columns: [
      ['day', 'date'],
      ['accountName', 'text'],
      ['kind', 'text'],
      ['label', 'text'],
      ['applicantName', 'text'],
      ['ledgerAmount', 'money'],
      ['reportedAmount', 'money'],
      ['statementAmountSen', 'sen'],
      ['foundAt', 'dateTime'],
      ['settledAt', 'dateTime'],
      ['settledBy', 'text'],
      ['reason', 'text'],
    ],
    words: { kind: 'kind' },
  },
  lines: {
    rows: exportedLines,
    columns: [
      ['day', 'date'],
      ['accountName', 'text'],
      ['amountSen', 'sen'],
      ['balanceSen', 'sen'],
      ['reference', 'text'],
      ['description', 'text'],
      ['state', 'text'],
      ['matchedBy', 'text'],
      ['explanation', 'text'],
      ['reason', 'text'],
      ['applicantName', 'text'],
      ['settledBy', 'text'],
      ['settledAt', 'dateTime'],
    ],
    words: { state: 'lineState', matchedBy: 'matchedBy', explanation: 'explanation' },
  },
} as const satisfies Record<
  string,
  { rows: (db: Db, filters: never) => Expression<unknown>; columns: Column[]; words: Record<string, string> }
>

/** Every row of the current filter as XLSX, CSV or PDF, in the reader's words. */
export function exportReconciliation(
  services: Services,
  name: keyof typeof lists,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const t = sentences(languageOfRequest(request))
  const {
    format,
    columns: _columns,
    sort: _sort,
    ...filter
  } = request.query as Record<string, string> & {
    format: 'xlsx' | 'csv' | 'pdf'
  }
  const { rows: find, columns, words } = lists[name]
  const wordOf = (key: string, value: unknown) =>
    key in words && typeof value === 'string'
      ? t(`reconciliation:${(words as Record<string, string>)[key]}.${value}`)
      : value
  async function* rows() {
    for await (const row of readRows(
      services.db,
      (find as (db: Db, filters: object) => Expression<unknown>)(services.db, filter),
    ))
      yield Object.fromEntries(Object.entries(row).map(([key, value]) => [key, wordOf(key, value)]))
  }
  return sendExport(services, request, reply, {
    name: `reconciliation-${name}`,
    title: t(`reconciliation:export.${name}`),
    format,
    columns: columns.map(([key, kind]) => ({
      key,
      kind,
      label: t(`reconciliation:column.${key.replace(/Sen$/, '')}`),
    })),
    rows: rows(),
    filter: Object.entries(filter).flatMap(([key, value]) =>
      value === undefined ? [] : [{ label: t(`reconciliation:column.${key}`), value: String(wordOf(key, value)) }],
    ),
  })
}
