import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { CampusMapping } from '#domain/students/campus/endpoints.ts'
import { type CampusColumn, defaultCampusColumns, isIdentityField } from '#domain/students/campus/fields.ts'
import { type Actor, actorOf, requirePermission } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import type { Services } from '#server/platform/services.ts'
import type { SheetRow } from '#server/platform/sheets/columns.ts'
import { readRows } from '#server/platform/sheets/read-rows.ts'
import { sendExport } from '#server/platform/sheets/send-export.ts'
import { sentences } from '#server/platform/text.ts'
import { acceptedPeople, campusExpressions } from './campus-students.ts'

/** Columns of the CSV; default columns until the university saves its own. */
export async function readMapping(db: Db): Promise<CampusMapping> {
  const saved = await db
    .selectFrom('campusMapping as m')
    .innerJoin('accounts as u', 'u.id', 'm.updatedBy')
    .select(['m.columns', 'm.version', 'm.updatedAt', 'u.name'])
    .executeTakeFirst()
  if (!saved) return { columns: [...defaultCampusColumns], version: 0, edited: null }
  return {
    columns: saved.columns as CampusColumn[],
    version: saved.version,
    edited: { at: saved.updatedAt.toISOString(), by: saved.name },
  }
}

type NewMapping = { columns: readonly CampusColumn[]; version: number }

/** Saves the columns; 409 if `version` is stale. */
export const saveMapping = ({ db, clock }: Services, actor: Actor, { columns, version }: NewMapping) =>
  db.transaction().execute(async (tx) => {
    const before = await readMapping(tx)
    const values = { columns: JSON.stringify(columns), updatedAt: clock.now(), updatedBy: actor.accountId }
    const saved =
      version === 0
        ? await tx
            .insertInto('campusMapping')
            .values(values)
            .onConflict((existing) => existing.doNothing())
            .returning('version')
            .executeTakeFirst()
        : await tx
            .updateTable('campusMapping')
            .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
            .where('version', '=', version)
            .returning('version')
            .executeTakeFirst()
    if (!saved) throw conflict('stale_version')
    await recordAudit(tx, actor, {
      action: 'campus.mapping',
      on: { campus: 'mapping' },
      before: { columns: before.columns },
      after: { columns },
    })
    return readMapping(tx)
  })

type Filter = { waveId?: string | undefined; programmeId?: string | undefined }

/**
 * Sends enrolled students visible to the actor as CSV with the mapped columns; records the export. 403 if the columns
 * include identity numbers the actor may not see.
 */
export async function sendCampusCsv(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  { waveId, programmeId }: Filter,
) {
  const { db } = services
  const actor = actorOf(request)
  const { columns } = await readMapping(db)
  if (columns.some(({ field }) => isIdentityField(field))) requirePermission(actor, 'pendaftaran-profile-identity')
  const query = acceptedPeople(db)
    .select(columns.map(({ field }) => sql`${campusExpressions[field]}`.as(field)))
    .where('r.status', '=', 'enrolled')
    .where(visibleTo(actor))
    .$call((rows) => (waveId === undefined ? rows : rows.where('r.waveId', '=', waveId)))
    .$call((rows) => (programmeId === undefined ? rows : rows.where('r.acceptedProgrammeId', '=', programmeId)))
    .orderBy('s.npm')
  const say = sentences(languageOfRequest(request))
  return sendExport(services, request, reply, {
    name: 'campus-system',
    title: say('campus:csv.title'),
    format: 'csv',
    columns: columns.map(({ field, heading }) => ({
      key: field,
      label: heading,
      kind: field === 'issuedAt' ? ('dateTime' as const) : ('text' as const),
    })),
    rows: readRows<SheetRow, SheetRow>(db, query, (found) => found),
  })
}
