import { sql } from 'kysely'
import { listLicences } from '#domain/students/licences/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { searchPattern } from '#server/platform/database/database.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { licenceState, licenceValidity, newestVisible } from './student-licence.ts'

export const serveLicences = (app: App, services: Services) =>
  serveList(app, services, listLicences, {
    from: ({ actor }) =>
      services.db
        .selectFrom('drivingLicences as l')
        .innerJoinLateral(newestVisible(actor).as('r'), (join) => join.onTrue())
        .where('l.drives', '=', true),
    // `newestVisible` already limits the rows to registrations the reader sees.
    scope: 'everyone',
    filters: {
      q: (q) => (eb) => eb('r.searchText', 'like', searchPattern(q)),
      state: (state) => (eb) => eb(licenceState, '=', state),
      validity:
        (validity, { now }) =>
        (eb) =>
          eb(licenceValidity(now), '=', validity),
      class: (name) => (eb) => eb('l.class', '=', name),
    },
    columns: (rows, { now }) =>
      rows
        .innerJoin('applicants as a', 'a.accountId', 'l.accountId')
        .leftJoin('students as s', 's.registrationId', 'r.id')
        .select(['l.accountId as id', 'a.fullName as name', 'r.code', 's.npm', 'l.updatedAt'])
        .select([licenceState.as('state'), licenceValidity(now).as('validity')])
        .select((eb) => [
          eb.ref('l.class').$notNull().as('class'),
          eb.ref('l.number').$notNull().as('number'),
          eb.ref('l.expiresOn').$notNull().as('expiresOn'),
        ]),
    sorts: { updatedAt: { by: sql`l.updated_at`, type: 'timestamptz' }, expiresOn: { by: sql`l.expires_on` } },
    id: sql`l.account_id`,
  })
