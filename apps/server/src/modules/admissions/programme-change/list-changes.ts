import type { FastifyReply, FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type {
  exportProgrammeChanges as exported,
  findChangeCandidates as found,
  listProgrammeChanges as listed,
} from '#domain/admissions/programme-change-endpoints.ts'
import { universityCalendar } from '#domain/calendar.ts'
import { type Actor, actorOf } from '#server/platform/authorization.ts'
import { type Db, likePattern } from '#server/platform/database.ts'
import { languageOfRequest } from '#server/platform/error-handler.ts'
import { pageOf } from '#server/platform/page.ts'
import { programmeVisibleTo, visibleTo } from '#server/platform/row-scope.ts'
import type { Services } from '#server/platform/services.ts'
import { readRows } from '#server/platform/sheets/read-rows.ts'
import { sendExport } from '#server/platform/sheets/send-export.ts'
import { sentences } from '#server/platform/text.ts'

type Filters = Omit<z.output<typeof listed.query>, 'page' | 'per_page' | 'after' | 'sort'>

/** Name of a programme; of one the actor does not see, nothing. */
const nameOf = (actor: Actor, column: string): RawBuilder<string | null> => sql<string | null>`(
  SELECT p.name FROM study_programmes p WHERE p.id = ${sql.ref(column)} AND ${programmeVisibleTo(actor, 'p.id')})`
const classOf = (column: string) => sql<string>`(SELECT c.name FROM class_programmes c WHERE c.id = ${sql.ref(column)})`

const matching = (db: Db, actor: Actor, { direction, programmeId, waveId, from, to, q }: Filters) =>
  db
    .selectFrom('programmeChanges as m')
    .innerJoin('registrations as r', 'r.id', 'm.registrationId')
    .where(visibleTo(actor))
    .$if(direction === 'dearer', (rows) => rows.where('m.difference', '>', 0))
    .$if(direction === 'cheaper', (rows) => rows.where('m.difference', '<', 0))
    .$if(direction === 'equal', (rows) => rows.where('m.difference', '=', 0))
    .$if(programmeId !== undefined, (rows) =>
      rows.where((eb) => eb.or([eb('m.fromProgrammeId', '=', programmeId!), eb('m.toProgrammeId', '=', programmeId!)])),
    )
    .$if(waveId !== undefined, (rows) => rows.where('r.waveId', '=', waveId!))
    .$if(from !== undefined, (rows) => rows.where('m.changedAt', '>=', universityCalendar().startOfDay(from!)))
    .$if(to !== undefined, (rows) => rows.where('m.changedAt', '<', universityCalendar().boundsOfDay(to!)[1]))
    .$if(q !== undefined, (rows) => rows.where('r.searchText', 'like', likePattern(q!.toLowerCase())))

const columnsFor = (actor: Actor) => (rows: ReturnType<typeof matching>) =>
  rows
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .innerJoin('accounts as u', 'u.id', 'm.changedBy')
    .leftJoin('bills as b', 'b.id', 'm.toBillId')
    .select(['m.id', 'm.changedAt', 'm.status', 'm.totalBefore', 'm.totalAfter', 'm.moved', 'm.waiting', 'm.reason'])
    .select(sql<number>`m.total_after - m.total_before`.as('difference'))
    .select(['r.id as registrationId', 'r.code as registrationCode', 'a.fullName as applicantName'])
    .select(['u.name as changedBy', 'b.number as billNumber'])
    .select([
      nameOf(actor, 'm.from_programme_id').as('from'),
      nameOf(actor, 'm.to_programme_id').as('to'),
      classOf('m.from_class_programme_id').as('fromClass'),
      classOf('m.to_class_programme_id').as('toClass'),
    ])

type Row = Awaited<ReturnType<ReturnType<ReturnType<typeof columnsFor>>['executeTakeFirstOrThrow']>>

/** Changes of registrations the actor may see. */
export async function listChanges({ db }: Services, actor: Actor, query: z.output<typeof listed.query>) {
  const page = await pageOf(db, query, {
    from: matching(db, actor, query),
    columns: columnsFor(actor) as never,
    sorts: {
      changedAt: { by: sql`m.changed_at`, type: 'timestamptz' },
      difference: { by: sql`m.difference`, type: 'bigint' },
    },
    id: sql`m.id`,
  })
  return { ...page, data: page.data as unknown as (Row & { status: never })[] }
}

/** Every change of the current filter as XLSX, CSV or PDF, in the reader's words. */
export async function exportChanges(services: Services, request: FastifyRequest, reply: FastifyReply) {
  const actor = actorOf(request)
  const t = sentences(languageOfRequest(request))
  const { format, columns: _columns, sort: _sort, ...filter } = request.query as z.output<typeof exported.query>
  const found = columnsFor(actor)(matching(services.db, actor, filter))
    .orderBy('m.changedAt', 'desc')
    .orderBy('m.id')
  async function* rows() {
    for await (const row of readRows(services.db, found)) {
      const change = row as Row
      yield {
        ...change,
        from: change.from ?? t('programme-change:outOfSight'),
        to: change.to ?? t('programme-change:outOfSight'),
        status: t(`staff:status.${change.status}`),
      }
    }
  }
  const wordOf = (name: string, value: string) =>
    name === 'direction' ? t(`programme-change:direction.${value}`) : value
  const column = (key: string, kind: 'text' | 'money' | 'dateTime' = 'text') => ({
    key,
    label: t(`programme-change:column.${key}`),
    kind,
  })
  return sendExport(services, request, reply, {
    name: 'programme-changes',
    title: t('titles:pindah-prodi'),
    format,
    columns: [
      column('changedAt', 'dateTime'),
      column('registrationCode'),
      column('applicantName'),
      column('from'),
      column('fromClass'),
      column('to'),
      column('toClass'),
      column('status'),
      column('totalBefore', 'money'),
      column('totalAfter', 'money'),
      column('difference', 'money'),
      column('moved', 'money'),
      column('waiting', 'money'),
      column('billNumber'),
      column('reason'),
      column('changedBy'),
    ],
    rows: rows(),
    filter: Object.entries(filter).flatMap(([name, value]) =>
      value === undefined ? [] : [{ label: t(`programme-change:filter.${name}`), value: wordOf(name, String(value)) }],
    ),
  })
}

/** A handful of registrations that are under way, for a field to choose from. */
export async function findCandidates({ db }: Services, actor: Actor, { q }: z.output<typeof found.query>) {
  if (!q) return []
  return db
    .selectFrom('registrations as r')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .leftJoin('studyProgrammes as p', 'p.id', 'r.programmeId')
    .select(['r.id', 'r.code', 'a.fullName as name', 'p.name as programme', 'r.status'])
    .where(visibleTo(actor))
    .where('r.searchText', 'like', likePattern(q.toLowerCase()))
    .where('r.status', 'not in', ['withdrawn', 'cancelled', 'expired', 'draft'])
    .orderBy('r.searchText')
    .limit(20)
    .execute()
}
