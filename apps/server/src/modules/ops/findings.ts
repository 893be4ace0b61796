import { type Selectable, sql } from 'kysely'
import { type InvariantName, invariants } from '#domain/ops/invariants.ts'
import { listFindings } from '#domain/ops/lists.ts'
import type { Language } from '#entities/define/language.ts'
import { rupiah, wholeNumber } from '#locales/format.ts'
import { valueIn } from '#server/list/columns.ts'
import { serveList } from '#server/list/serve-list.ts'
import { contains, type Database } from '#server/platform/database/database.ts'
import { ofWholeView } from '#server/platform/database/shared-rows.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'

export const toFinding = ({
  checkName,
  subjectType: type,
  subjectId: id,
  label,
  ...rest
}: Selectable<Database['invariantFindings']>) => ({
  ...rest,
  check: checkName as InvariantName,
  subject: { type, id, label },
})

function textOf(check: InvariantName, value: string | null, language: Language) {
  if (value === null) return null
  const { measure } = invariants[check]
  if (measure === 'word') return valueIn('ops:values', value, language)
  return measure === 'rupiah' ? rupiah(Number(value)) : wholeNumber(Number(value))
}

/** Lists the findings of the checks, for users who see the whole university. */
export const serveFindings = (app: App, services: Services) =>
  serveList(app, services, listFindings, {
    from: () => services.db.selectFrom('invariantFindings as f'),
    scope: ofWholeView('ops_needs_whole_view'),
    filters: {
      check: 'f.checkName',
      state: {
        find: (state) => (eb) => eb('f.goneAt', state === 'gone' ? 'is not' : 'is', null),
        unset: () => (eb) => eb('f.goneAt', 'is', null),
      },
      q: (q) => contains('f.label', q),
    },
    columns: (rows) => rows.selectAll('f'),
    sorts: {
      firstSeenAt: { by: sql`f.first_seen_at`, type: 'timestamptz' },
      check: { by: sql`f.check_name`, type: 'text' },
      label: { by: sql`f.label`, type: 'text' },
    },
    id: sql`f.id`,
    toRows: (found, { language }) =>
      found.map((row) => {
        const finding = toFinding(row)
        return {
          ...finding,
          label: row.label,
          state: row.goneAt === null ? ('open' as const) : ('gone' as const),
          storedText: textOf(finding.check, row.stored, language),
          derivedText: textOf(finding.check, row.derived, language),
        }
      }),
  })
