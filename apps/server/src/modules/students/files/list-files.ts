import { sql } from 'kysely'
import type { DocumentStage, DocumentStatus } from '#domain/documents/document-status.ts'
import type { FiltersOf } from '#domain/list.ts'
import { listStudentFiles } from '#domain/students/files/lists.ts'
import { matchingRows, readerFor, serveList, sourceFor } from '#server/list/serve-list.ts'
import { queueCondition } from '#server/modules/admissions/registrations/registration-queues.ts'
import { studentMatches } from '#server/modules/students/student-search.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { programmeIs, programmeSql } from '#server/platform/access/decision-scope.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'

export type FileFilters = FiltersOf<typeof listStudentFiles>

/** When a file began to wait for review; the year 9999 for files that do not wait, to sort them last. */
export const waitingSince = sql<Date>`(CASE WHEN d.status = 'uploaded' AND d.uploaded_at IS NOT NULL THEN d.uploaded_at
  ELSE timestamptz '9999-12-31 00:00:00+00' END)`

const hasPaper = sql<boolean>`EXISTS (SELECT FROM paper_receipt_lines l JOIN paper_receipts p ON p.id = l.receipt_id
  WHERE l.document_id = d.id AND p.voided_at IS NULL)`

/**
 * SQL condition on `registrations r`: the actor may review the documents. Registrations with a confirmed place; for
 * reviewers of registrations also the dashboard's queue.
 */
const isUnderReview = (actor: Actor, now: Date) =>
  actor.permissions.has('pendaftaran-verify')
    ? sql<boolean>`(${isConfirmed} OR ${queueCondition('documents', actor, now)})`
    : isConfirmed

const isConfirmed = sql<boolean>`r.status IN ('confirmed', 'enrolled')`

/** Documents `d` of registrations `r` the actor may see and review. */
const fileSource = ({ db }: Services) =>
  sourceFor(listStudentFiles, {
    from: () => db.selectFrom('registrations as r').innerJoin('documents as d', 'd.registrationId', 'r.id'),
    scope: ({ actor, now }) => [isUnderReview(actor, now), visibleTo(actor)],
    filters: {
      state: 'd.status',
      stage: 'd.stage',
      requirement: (name) => (name ? (eb) => eb('d.name', '=', name) : undefined),
      programmeId: (programmeId, { actor, now }) => programmeIs(actor, now, programmeId),
      waveId: 'r.waveId',
      required: 'd.required',
      paper: (paper) => sql<boolean>`${hasPaper} = ${paper === 'true'}`,
      q: (q, { actor }) => studentMatches(actor, q),
    },
    columns: (rows, { actor, now }) =>
      rows
        .innerJoin('applicants as a', 'a.id', 'r.applicantId')
        .innerJoin('waves as w', 'w.id', 'r.waveId')
        .leftJoin('studyProgrammes as p', (join) => join.on('p.id', '=', programmeSql(actor, now)))
        .leftJoin('students as s', 's.registrationId', 'r.id')
        .leftJoin('accounts as reviewer', 'reviewer.id', 'd.reviewedBy')
        .select(['d.id', 'd.registrationId', 'd.name as requirement', 'd.required', 'd.uploadedAt', 'd.version'])
        .select([
          sql<DocumentStage>`d.stage`.as('stage'),
          sql<DocumentStatus>`d.status`.as('state'),
          sql<string | null>`coalesce(d.deferred_until, d.due_on)`.as('dueOn'),
          hasPaper.as('paper'),
          isConfirmed.as('isConfirmed'),
        ])
        .select(['a.fullName as name', 'r.code', 's.npm', 'p.name as programme', 'w.name as wave'])
        .select('reviewer.name as reviewedBy'),
    sorts: {
      waiting: { by: waitingSince, type: 'timestamptz' },
      newest: { by: sql`r.created_at`, type: 'timestamptz' },
    },
    id: sql`d.id`,
  })

export const serveStudentFiles = (app: App, services: Services) =>
  serveList(app, services, listStudentFiles, fileSource(services))

/** Query for the documents the list shows with these filters; the caller selects other columns. */
export const matchingFiles = async (services: Services, actor: Actor, filters: FileFilters) =>
  (await matchingRows(listStudentFiles, fileSource(services), readerFor(services, actor), filters)).from
