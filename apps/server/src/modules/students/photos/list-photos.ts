import { sql } from 'kysely'
import type { FiltersOf } from '#domain/list.ts'
import { listPhotos } from '#domain/students/photos/lists.ts'
import { matchingRows, readerFor, serveList, sourceFor } from '#server/list/serve-list.ts'
import { studentMatchesByRow } from '#server/modules/students/student-search.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { type PhotoFilter, photosOf } from './photo-rows.ts'

const isConfirmed = sql<boolean>`r.status IN ('confirmed', 'enrolled')`

/** List source for photos of confirmed applicants and students. */
const photoSource = ({ db }: Services) =>
  sourceFor(listPhotos, {
    from: (_reader, filters) => photosOf(db, filters),
    scope: ({ actor }) => visibleTo(actor),
    filters: {
      state: (state) => (state === 'unusable' ? sql<boolean>`v.state <> 'usable'` : sql<boolean>`v.state = ${state}`),
      // `from` applies size and background.
      size: () => undefined,
      wanted: () => undefined,
      waveId: (waveId) => (eb) => eb('r.waveId', '=', waveId),
      programmeId: (programmeId) => (eb) => eb('r.programmeId', '=', programmeId),
      status: { find: (status) => (eb) => eb('r.status', '=', status), unset: () => isConfirmed },
      q: (q, { actor }) => studentMatchesByRow(actor, q),
    },
    columns: (rows) =>
      rows
        .innerJoin('waves as w', 'w.id', 'r.waveId')
        .leftJoin('studyProgrammes as p', 'p.id', 'r.acceptedProgrammeId')
        .leftJoin('students as s', 's.registrationId', 'r.id')
        .select(['r.id', 'r.code', 'a.fullName as name', 's.npm', 'p.name as programme', 'w.name as wave'])
        .select(['c.background', 'v.state', sql<string | null>`f.width || ' × ' || f.height`.as('pixels')]),
    sorts: { createdAt: { by: sql`r.created_at`, type: 'timestamptz' } },
    id: sql`r.id`,
  })

export const servePhotos = (app: App, services: Services) => serveList(app, services, listPhotos, photoSource(services))

/** Query for the photos the list shows with these filters; the caller selects other columns. */
export const matchingPhotos = async (services: Services, actor: Actor, filters: PhotoFilter) =>
  (
    await matchingRows(
      listPhotos,
      photoSource(services),
      readerFor(services, actor),
      filters as FiltersOf<typeof listPhotos>,
    )
  ).from
