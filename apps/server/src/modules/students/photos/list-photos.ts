import { sql } from 'kysely'
import { listPhotos } from '#domain/students/photos/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { matchingPhotos } from './photo-rows.ts'

export const servePhotos = (app: App, services: Services) =>
  serveList(app, services, listPhotos, {
    from: ({ actor }, filters) => matchingPhotos(services.db, actor, filters),
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
