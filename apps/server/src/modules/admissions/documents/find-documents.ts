import { sql } from 'kysely'
import { confirmedStatuses } from '#domain/admissions/registration-status.ts'
import { shiftDay, universityCalendar } from '#domain/calendar.ts'
import {
  canPostpone,
  type DocumentStage,
  type DocumentStatus,
  type DocumentsState,
  decisionFollows,
  documentsOpenIn,
  type ReviewAction,
  undoSeconds,
} from '#domain/documents/document-status.ts'
import type { DocumentSlot } from '#domain/documents/endpoints.ts'
import { type Actor, requirePermission } from '#server/platform/access/authorization.ts'
import {
  isPast,
  publicDecision,
  publicStatus,
  seesDecision,
  seesUnpublished,
  statusFor,
} from '#server/platform/access/decision-scope.ts'
import { isApplicant, visibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import { imageUrl } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'

const documentsOf = (db: Db) =>
  db
    .selectFrom('documents as d')
    .innerJoin('registrations as r', 'r.id', 'd.registrationId')
    .leftJoin('trackFiles as t', 't.id', 'd.trackFileId')
    .leftJoin('files as f', 'f.id', 'd.fileId')
    .leftJoin('resultPublications as pub', (join) =>
      join
        .onRef('pub.waveId', '=', 'r.waveId')
        .onRef('pub.trackId', '=', 'r.trackId')
        .on('pub.number', '=', sql<number>`coalesce(r.published_after, 0) + 1`),
    )
    .leftJoin('shownRefusals as shown', 'shown.registrationId', 'r.id')
    .leftJoin('accounts as reviewer', 'reviewer.id', 'd.reviewedBy')
    .leftJoin('documentReviews as v', (join) =>
      join.onRef('v.documentId', '=', 'd.id').onRef('v.version', '=', 'd.version').on('v.undoneAt', 'is', null),
    )
    .selectAll('d')
    .select([
      'r.accountId',
      'r.code',
      'r.status as registrationStatus',
      'r.verifiedAt',
      'r.decidedAt',
      'r.decision',
      'pub.publishAt',
      'shown.decidedAt as shownDecidedAt',
      't.templateFileId',
      'f.name as fileName',
      'f.mime as fileMime',
      'f.bytes as fileBytes',
      'reviewer.name as reviewerName',
      'v.action as lastReview',
      'v.reviewerId',
      'v.toldAt',
    ])

export type DocumentRow = Awaited<ReturnType<typeof getDocument>>

/**
 * SQL condition on `registrations r`: the actor may read the documents. Without permission for registrations, only
 * visible ones with a confirmed place.
 */
export const documentsVisibleTo = (actor: Actor) =>
  actor.permissions.has('pendaftaran-view')
    ? visibleTo(actor)
    : sql<boolean>`(${visibleTo(actor)} AND r.status IN ('confirmed', 'enrolled'))`

/** Throws 403 unless the actor may review documents of a registration in this status. */
export function requireReviewer(actor: Actor, registrationStatus: string) {
  if (actor.permissions.has('berkas-mahasiswa-update') && isConfirmed(registrationStatus)) return
  requirePermission(actor, 'pendaftaran-verify')
}

/** A document slot; 404 if the actor may not see it. */
export async function getDocument(db: Db, actor: Actor, documentId: string) {
  const row = await documentsOf(db).where('d.id', '=', documentId).where(documentsVisibleTo(actor)).executeTakeFirst()
  if (!row) throw notFound('document')
  return row
}

/** Whether the place is confirmed, which opens the enrolment documents. */
export const isConfirmed = (registrationStatus: string) =>
  (confirmedStatuses as readonly string[]).includes(registrationStatus)

export const isOpen = (registrationStatus: string) =>
  (documentsOpenIn as readonly string[]).includes(registrationStatus)

/**
 * The registration that documents belong to; 404 if the actor may not see it. With `lock`, changes to its documents
 * wait for each other.
 */
export async function getDocumentsRegistration(db: Db, actor: Actor, registrationId: string, { lock = false } = {}) {
  const row = await db
    .selectFrom('registrations as r')
    .select(['r.id', 'r.code', 'r.accountId', 'r.status', 'r.verifiedAt', 'r.documentsState'])
    .where('r.id', '=', registrationId)
    .where(documentsVisibleTo(actor))
    .$if(lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  if (!row) throw notFound('registration')
  return { ...row, documentsState: row.documentsState as DocumentsState }
}

/**
 * Whether the actor may know that a decision followed the review: the present decision, or the public refusal it
 * replaces.
 */
function seesDecisionAfter(actor: Actor, row: DocumentRow, now: Date) {
  if (isApplicant(actor)) return false
  const isShown = seesUnpublished(actor) || row.shownDecidedAt === null || (row.decidedAt && isPast(row.publishAt, now))
  return isShown
    ? decisionFollows(row) && seesDecision(actor, isPast(row.publishAt, now))
    : decisionFollows({ ...row, registrationStatus: 'decided', decidedAt: row.shownDecidedAt })
}

/** Whether the applicant reads a refusal: the published decision, or the refusal it replaces while it is unpublished. */
export const readsRefusal = ({ decidedAt, decision, publishAt, shownDecidedAt }: DocumentRow, now: Date) =>
  decidedAt && isPast(publishAt, now) ? decision === 'not_accepted' : shownDecidedAt !== null

/** Seconds the reviewer has left to undo the last review; null for everyone else. */
function secondsToUndo(actor: Actor, row: DocumentRow, now: Date) {
  if (!row.lastReview || row.reviewerId !== actor.accountId || row.toldAt || !row.reviewedAt) return null
  if (!isOpen(row.registrationStatus) || seesDecisionAfter(actor, row, now)) return null
  const secondsLeft = undoSeconds - Math.floor((now.getTime() - row.reviewedAt.getTime()) / 1000)
  return secondsLeft > 0 ? secondsLeft : null
}

/** Last day of a document postponed now. */
export const followUntil = (now: Date, days: number) => shiftDay(universityCalendar().dayOf(now), days)

/** The slot as answered by the API. Only the owner gets the picture's URL: every read by others is recorded. */
function toDocumentSlot(services: Services, actor: Actor, row: DocumentRow, followDays: number) {
  const now = services.clock.now()
  const isImage = Boolean(row.fileMime?.startsWith('image/'))
  const isOwner = row.accountId === actor.accountId
  const url = (thumbnail: boolean) =>
    isOwner && isImage && row.fileId ? imageUrl(services, actor, 'document', row.fileId, { thumbnail }) : null
  return {
    ...row,
    stage: row.stage as DocumentStage,
    status: row.status as DocumentStatus,
    mayFollowUntil:
      isOwner && isOpen(row.registrationStatus) && !readsRefusal(row, now) && canPostpone(row, followDays)
        ? followUntil(now, followDays)
        : null,
    requested: row.requestedBy !== null,
    reviewedBy: isOwner ? null : row.reviewerName,
    lastReview: isOwner ? null : (row.lastReview as ReviewAction | null),
    undoSeconds: secondsToUndo(actor, row, now),
    decisionFollows: seesDecisionAfter(actor, row, now),
    hasTemplate: Boolean(row.templateFileId),
    file: row.fileId
      ? {
          id: row.fileId,
          name: row.fileName ?? '',
          mime: row.fileMime ?? '',
          bytes: row.fileBytes ?? 0,
          isImage,
          url: url(false),
          thumbnailUrl: url(true),
        }
      : null,
  } satisfies Record<keyof DocumentSlot, unknown>
}

export async function listDocuments(services: Services, actor: Actor, registrationId: string) {
  const { db, clock } = services
  const registration = await getDocumentsRegistration(db, actor, registrationId)
  const publicFacts = await db
    .selectFrom('registrations as r')
    .select(publicDecision(clock.now()).as('publicDecision'))
    .where('r.id', '=', registrationId)
    .executeTakeFirstOrThrow()
  const { documentFollowDays } = await getSettings(db)
  const rows = await documentsOf(db)
    .where('d.registrationId', '=', registrationId)
    .orderBy('d.stage', 'desc')
    .orderBy('d.sortOrder')
    .orderBy('d.name')
    .orderBy('d.id')
    .execute()
  return {
    data: rows.map((row) => toDocumentSlot(services, actor, row, documentFollowDays)),
    meta: {
      registrationId,
      code: registration.code,
      registrationStatus: statusFor(actor, { ...registration, ...publicFacts }),
      documentsState: registration.documentsState,
      open: isOpen(registration.status),
    },
  }
}

/** The account's documents by registration, newest first. */
export async function listAccountDocuments(services: Services, actor: Actor) {
  const { db, clock } = services
  const registrations = await db
    .selectFrom('registrations as r')
    .innerJoin('tracks', 'tracks.id', 'r.trackId')
    .innerJoin('waves', 'waves.id', 'r.waveId')
    .select(['r.id', 'r.code', 'r.status', 'r.verifiedAt', 'r.documentsState'])
    .select(['tracks.name as track', 'waves.name as wave'])
    .select(publicDecision(clock.now()).as('publicDecision'))
    .where('r.accountId', '=', actor.accountId)
    .orderBy('r.createdAt', 'desc')
    .execute()
  const rows = await documentsOf(db)
    .where('r.accountId', '=', actor.accountId)
    .orderBy('d.stage', 'desc')
    .orderBy('d.sortOrder')
    .orderBy('d.name')
    .execute()
  const { documentFollowDays } = await getSettings(db)
  const documentsBy = Map.groupBy(rows, ({ registrationId }) => registrationId)
  return registrations.map(({ id, status, verifiedAt, publicDecision, documentsState, ...registration }) => ({
    ...registration,
    registrationId: id,
    registrationStatus: publicStatus({ status, verifiedAt, publicDecision }),
    documentsState: documentsState as DocumentsState,
    open: isOpen(status),
    documents: (documentsBy.get(id) ?? []).map((row) => toDocumentSlot(services, actor, row, documentFollowDays)),
  }))
}

/** The answer after a change: the slot and the state of all documents. */
export async function answerDocument(services: Services, actor: Actor, documentId: string) {
  const row = await getDocument(services.db, actor, documentId)
  const { documentsState } = await getDocumentsRegistration(services.db, actor, row.registrationId)
  const { documentFollowDays } = await getSettings(services.db)
  return { data: toDocumentSlot(services, actor, row, documentFollowDays), meta: { documentsState } }
}
