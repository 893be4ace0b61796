import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { downloadFeederSheet as sheetCall } from '#domain/students/feeder/endpoints.ts'
import { feederFieldRules, feederFields } from '#domain/students/feeder/fields.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import type { Services } from '#server/platform/services.ts'
import type { SheetRow } from '#server/platform/sheets/columns.ts'
import { readRows } from '#server/platform/sheets/read-rows.ts'
import { sendExport } from '#server/platform/sheets/send-export.ts'
import { sentences } from '#server/platform/text.ts'
import { zoneOfDays } from './read-readiness.ts'
import { feederReadiness, feederStudents } from './readiness.ts'

/** Sends students with the columns of the ministry's template, identity numbers included, and records the export. */
export async function sendFeederSheet(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  { format, waveId, programmeId, ready }: z.output<(typeof sheetCall)['query']>,
) {
  const say = sentences(languageOfRequest(request))
  const conditions = [
    visibleTo(actorOf(request)),
    ...(waveId ? [sql`r.wave_id = ${waveId}`] : []),
    ...(programmeId ? [sql`s.programme_id = ${programmeId}`] : []),
    ...(ready === 'true' ? [sql`ready.count = 0`] : []),
  ]
  // As text: the keys of a JSON value would be renamed to camelCase.
  const query = sql<{ fields: string }>`SELECT ready.fields::text AS fields
    FROM ${feederStudents} ${feederReadiness(zoneOfDays())} WHERE ${sql.join(conditions, sql` AND `)} ORDER BY s.npm`
  return sendExport(services, request, reply, {
    name: 'mahasiswa-feeder-sheet',
    title: say('feeder:sheet.title'),
    format,
    columns: feederFields.map((key) => ({
      key,
      label: key,
      kind: feederFieldRules[key].number ? ('number' as const) : ('text' as const),
    })),
    rows: readRows<{ fields: string }, SheetRow>(services.db, query, (found) =>
      found.map(({ fields }) => toRow(fields)),
    ),
    filter: [
      { label: say('feeder:column.state'), value: say(ready === 'true' ? 'feeder:state.ready' : 'feeder:sheet.all') },
    ],
  })
}

const toRow = (fields: string): SheetRow =>
  Object.fromEntries(
    Object.entries(JSON.parse(fields) as Record<string, string | null>).map(([key, value]) => [
      key,
      value !== null && feederFieldRules[key as keyof typeof feederFieldRules].number ? Number(value) : value,
    ]),
  )
