import { sql } from 'kysely'
import { listStatements } from '#domain/payments/reconciliation/lists.ts'
import type { Language } from '#entities/define/language.ts'
import { shortDate } from '#locales/format.ts'
import { serveList } from '#server/list/serve-list.ts'
import { contains } from '#server/platform/database/database.ts'
import { ofWholeView } from '#server/platform/database/shared-rows.ts'
import { downloadUrl } from '#server/platform/files/stored-files.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'

const daysOf = (days: readonly string[], language: Language) =>
  [...new Set(days)].map((day) => shortDate(day, language)).join(' – ')

/** Imported statements, for roles that see the whole university. */
export const serveStatements = (app: App, services: Services) => {
  const { db } = services
  serveList(app, services, listStatements, {
    from: () =>
      db
        .selectFrom('statementImports as i')
        .innerJoin('bankAccounts as a', 'a.id', 'i.bankAccountId')
        .innerJoin('accounts as c', 'c.id', 'i.importedBy'),
    scope: ofWholeView('statements_need_whole_view'),
    filters: {
      bankAccountId: 'i.bankAccountId',
      q: (q) => contains('i.file_name', q),
    },
    columns: (rows) =>
      rows.select((eb) => {
        const lines = eb
          .selectFrom('statementLines as s')
          .select(sql<number>`count(*)::int`.as('lines'))
          .whereRef('s.importId', '=', 'i.id')
        return [
          'i.id',
          'a.name as accountName',
          'i.fileName',
          'i.fileId',
          'i.format',
          'i.firstDay',
          'i.lastDay',
          'i.lines',
          'i.linesNew',
          'i.pending',
          'i.creditsSen',
          'i.debitsSen',
          'i.importedAt',
          'c.name as importedBy',
          lines.where('s.state', '=', 'new').where('s.amountSen', '>', 0).as('open'),
          lines.where('s.state', '=', 'held').as('held'),
        ]
      }),
    sorts: { importedAt: { by: sql`i.imported_at`, type: 'timestamptz' } },
    id: sql`i.id`,
    toRows: (found, { actor, language }) =>
      found.map(({ fileId, ...row }) => ({
        ...row,
        days: daysOf([row.firstDay, row.lastDay], language),
        open: row.open ?? 0,
        held: row.held ?? 0,
        file: downloadUrl(services, actor, fileId),
      })),
  })
}
