// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code of the product.
import type { Fault } from './fault.ts'

export const accessFaults: Fault[] = [
  {
    name: 'a role limited to one study programme lists the registrations of every programme',
    file: 'apps/server/src/modules/admissions/registrations/list-registrations.ts',
    find: "scope: ({ actor }) => (seesAll(actor) ? 'everyone' : visibleTo(actor)),",
    replace: "scope: ({ actor }) => (isApplicant(actor) ? visibleTo(actor) : 'everyone'),",
    foundBy: [
      {
        file: 'apps/server/src/modules/admissions/admissions.test.ts',
        test: 'answers 404 or 403 on every route to registrations of another applicant',
        beside: 'hides notes from applicants',
      },
    ],
  },
  {
    name: 'a statement that an administrator had compiled answers an applicant',
    file: 'apps/server/src/modules/admissions/registrations/load-registrations.ts',
    find: 'const key = JSON.stringify([kind, sight])',
    replace: 'const key = kind',
    foundBy: [
      {
        file: 'apps/server/src/modules/admissions/registrations/shared-statements.test.ts',
        test: 'actors of two faculties, of the whole university and applicants read their own, in turn and at once',
        beside: 'a publication is seen by the next request',
      },
    ],
  },
  {
    name: 'a report shows a dean the figures of other faculties',
    file: 'apps/server/src/modules/reports/facts/registration-facts.ts',
    find: "scope: (actor) => sql<boolean>`(${visibleTo(actor)} AND ${programmeVisibleTo(actor, 'p.id')})`,",
    replace: 'scope: () => sql<boolean>`true`,',
    foundBy: [
      {
        file: 'apps/server/src/modules/reports/reports.test.ts',
        test: 'the report pendaftaran-prodi shows a dean only the programmes of the faculty',
        beside: 'the report pendaftaran-prodi refuses unknown filters',
      },
    ],
  },
  {
    name: 'one permission opens every report',
    file: 'packages/domain/src/reports/endpoints.ts',
    find: 'const access = `laporan-${slug}`',
    replace: "const access = 'laporan-camaba'",
    foundBy: [
      {
        file: 'apps/server/src/modules/reports/reports.test.ts',
        test: 'the report pendaftaran-prodi needs its own permission, whatever other permissions the reader has',
        beside: 'the report pendaftaran-prodi refuses unknown filters',
      },
    ],
  },
  {
    name: 'every signed-in account reads the notes of the office',
    file: 'packages/domain/src/admissions/endpoints.ts',
    find: "access: 'pendaftaran-note',\n  summary: 'Notes of staff on a registration',",
    replace: "access: 'signed-in',\n  summary: 'Notes of staff on a registration',",
    foundBy: [
      {
        file: 'apps/server/src/modules/admissions/admissions.test.ts',
        test: 'hides notes from applicants',
        beside: 'shows staff limited to a programme only its registrations',
      },
    ],
  },
  {
    name: 'staff without the permission for identity numbers read a NIK in full',
    file: 'apps/server/src/modules/admissions/registrations/applicant-profile.ts',
    find: 'nik: nikMasked && profile.nik ? maskText(profile.nik) : profile.nik',
    replace: 'nik: profile.nik',
    foundBy: [
      {
        file: 'apps/server/src/modules/admissions/registrations/applicant-profile.test.ts',
        test: 'the NIK in full only with permission',
        beside: 'is refused without permission, for other study programmes, and to applicants',
      },
    ],
  },
  {
    name: 'a list shows whole phone numbers to staff who may not edit registrations',
    file: 'apps/server/src/list/columns.ts',
    find: 'phone: maskListedPhone,',
    replace: 'phone: (phone) => phone,',
    foundBy: [
      {
        file: 'apps/server/src/list/columns.test.ts',
        test: 'a masked column is shortened for readers without its permission',
        beside: 'without the right to a column, the column is not listed',
      },
      {
        file: 'apps/server/src/modules/admissions/admissions.test.ts',
        test: 'shows staff limited to a programme only its registrations',
        beside: 'hides notes from applicants',
      },
    ],
  },
  {
    name: 'passwords are guessed without a waiting time',
    file: 'apps/server/src/modules/accounts/sign-in.ts',
    find: 'WHERE a.blocked_until IS NULL OR a.blocked_until <= ${now}',
    replace: 'WHERE true OR a.blocked_until <= ${now}',
    foundBy: [
      {
        file: 'apps/server/src/modules/accounts/sign-in.test.ts',
        test: 'blocks the right password too during the wait',
        beside: 'answers with a token that opens the API',
      },
    ],
  },
  {
    name: 'one address asks for sign-ins without a limit',
    file: 'apps/server/src/platform/http/serve.ts',
    find: 'if (!outcome.isAllowed && outcome.isExceeded)',
    replace: 'if (!outcome.isAllowed && outcome.isExceeded && limit === undefined)',
    foundBy: [
      {
        file: 'apps/server/src/modules/accounts/sign-in.test.ts',
        test: 'limits the requests of an address',
        beside: 'answers with a token that opens the API',
      },
    ],
  },
  {
    name: 'a session goes on after its sign-out',
    file: 'apps/server/src/platform/access/session-rows.ts',
    find: ".where('sessions.tokenHash', '=', tokenHash)\n    .where('sessions.revokedAt', 'is', null)",
    replace: ".where('sessions.tokenHash', '=', tokenHash)",
    foundBy: [
      {
        file: 'apps/server/src/modules/accounts/sign-in.test.ts',
        test: 'is refused when unknown, expired or signed out',
        beside: 'is checked, and gets the same data as a sign-in',
      },
    ],
  },
  {
    name: 'an answer carries a field that its endpoint does not declare',
    file: 'apps/server/src/platform/http/serve.ts',
    find: "...(!raw && { response: { '2xx': new LateSchema(endpoint, 'response') } }),",
    replace: '',
    foundBy: [
      {
        file: 'apps/server/src/platform/http/http.test.ts',
        test: 'dates are sent as ISO text, and undeclared fields are not sent',
        beside: 'an expected failure has a sentence, a code and a request id',
      },
    ],
  },
  {
    name: 'a file is accepted by its name instead of its content',
    file: 'apps/server/src/platform/files/stored-files.ts',
    find: 'if (!rules.acceptedTypes.includes(mime))',
    replace: 'if (bytes.length === 0)',
    foundBy: [
      {
        file: 'apps/server/src/modules/admissions/documents/documents.test.ts',
        test: 'a program renamed to .jpg is refused',
        beside: 'a truncated PDF is refused',
      },
    ],
  },
]
