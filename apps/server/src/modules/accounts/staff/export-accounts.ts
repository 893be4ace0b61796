import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { exportAccounts as exportCall } from '#domain/accounts/staff-endpoints.ts'
import { actorOf } from '#server/platform/authorization.ts'
import { languageOfRequest } from '#server/platform/error-handler.ts'
import { invalid } from '#server/platform/errors.ts'
import { findRoles } from '#server/platform/reach.ts'
import type { Services } from '#server/platform/services.ts'
import type { SheetColumn } from '#server/platform/sheets/columns.ts'
import { readRows } from '#server/platform/sheets/read-rows.ts'
import { sendExport } from '#server/platform/sheets/send-export.ts'
import { sentences } from '#server/platform/text.ts'
import { accountColumns, inOrderOf, matchingAccounts, rowMaker, sortsFor } from './find-accounts.ts'

type Query = z.output<typeof exportCall.query>
const kinds: Record<string, SheetColumn['kind']> = { lastSignedInAt: 'dateTime', createdAt: 'dateTime' }
const columnKeys = [
  'name',
  'email',
  'phone',
  'role',
  'status',
  'emailVerified',
  'twoFactor',
  'lastSignedInAt',
  'createdAt',
] as const

/** The list as a sheet: the same filter, the same rows, cut short in the same places. */
export async function exportAccounts(
  services: Services,
  request: FastifyRequest & { query: Query },
  reply: FastifyReply,
) {
  const { db, clock } = services
  const actor = actorOf(request)
  const language = languageOfRequest(request)
  const t = sentences(language)
  const { format, columns, sort, ...filter } = request.query
  const chosen = columns?.split(',') ?? columnKeys
  const wanted = columnKeys.filter((key) => chosen.includes(key))
  if (wanted.length === 0) throw invalid({ columns: 'invalid_input' })
  const now = clock.now()
  const matching = await matchingAccounts(db, actor, filter, now)
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const sorts = await sortsFor(db, filter, matching)
  const query = inOrderOf(matching, sort)
    .select(accountColumns)
    .orderBy(sorts[sort.replace(/^-/, '') as keyof typeof sorts].by, direction)
    .orderBy('a.id', direction)
  const toRow = await rowMaker(db, actor, now)

  async function* rows() {
    for await (const found of readRows<Parameters<typeof toRow>[0]>(db, query)) {
      const row = toRow(found)
      const status = row.invited ? 'invited' : !row.active ? 'inactive' : row.lockedUntil ? 'locked' : 'active'
      yield {
        ...row,
        role: row.role.name,
        status: t(`staff-accounts:status.${status}`),
        emailVerified: t(row.emailVerifiedAt ? 'common:yes' : 'common:no'),
        twoFactor: t(`staff-accounts:twoFactor.${row.twoFactor}`),
      }
    }
  }

  const roles = filter.roleId ? await findRoles(db) : []
  const wordOf = (name: string, value: string) =>
    name === 'roleId'
      ? (roles.find(({ id }) => id === value)?.name ?? value)
      : name === 'kind'
        ? t(`staff-accounts:kinds.${value as 'staff'}`)
        : name === 'q'
          ? value
          : t(value === 'true' ? 'common:yes' : 'common:no')
  return sendExport(services, request, reply, {
    name: 'accounts',
    title: t('staff-accounts:title'),
    format,
    columns: (wanted.length > 0 ? wanted : columnKeys).map((column) => ({
      key: column,
      label: t(`staff-accounts:columns.${column}`),
      kind: kinds[column] ?? 'text',
    })),
    rows: rows(),
    filter: Object.entries(filter).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [{ label: t(`staff-accounts:filters.${name as 'kind'}`), value: wordOf(name, String(value)) }],
    ),
  })
}
