import { sql } from 'kysely'
import type { ClothesSize } from '#domain/applicants/profile.ts'
import { defaultOrderMargin, type JacketState } from '#domain/students/jackets/jackets.ts'
import { listJacketMovements, listJacketStock, listJackets } from '#domain/students/jackets/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { studentMatchesByRow } from '#server/modules/students/student-search.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'

/** SQL condition on `registrations r`: entitled to a jacket, or still holding one after its status changed. */
const concernsJackets = sql<boolean>`(r.status IN ('confirmed', 'enrolled') OR EXISTS (SELECT FROM jacket_hand_outs x
  WHERE x.registration_id = r.id AND x.ended_at IS NULL))`

/** Jacket state of a registration `r` with its applicant `a` and its current hand-out `h`. */
const jacketState = sql<JacketState>`CASE WHEN h.id IS NOT NULL THEN 'held'
  WHEN EXISTS (SELECT FROM jacket_hand_outs x WHERE x.registration_id = r.id) THEN 'returned'
  WHEN a.clothes_size IS NULL THEN 'no_size' ELSE 'waiting' END`

export const serveJackets = (app: App, services: Services) =>
  serveList(app, services, listJackets, {
    from: () =>
      services.db
        .selectFrom('registrations as r')
        .innerJoin('applicants as a', 'a.id', 'r.applicantId')
        .leftJoin('jacketHandOuts as h', (join) =>
          join.onRef('h.registrationId', '=', 'r.id').on('h.endedAt', 'is', null),
        )
        .where(concernsJackets),
    scope: ({ actor }) => visibleTo(actor),
    filters: {
      q: (q, { actor }) => studentMatchesByRow(actor, q),
      state: (state) => sql<boolean>`${jacketState} = ${state}`,
      size: (size) => sql<boolean>`coalesce(h.size, a.clothes_size) = ${size}`,
      waveId: 'r.waveId',
      programmeId: 'r.programmeId',
    },
    columns: (rows) =>
      rows
        .innerJoin('waves as w', 'w.id', 'r.waveId')
        .leftJoin('studyProgrammes as p', 'p.id', 'r.acceptedProgrammeId')
        .leftJoin('students as s', 's.registrationId', 'r.id')
        .select(['r.id', 'r.code', 'a.fullName as name', 's.npm', 'p.name as programme', 'w.name as wave'])
        .select(['h.size as held', 'h.handedAt', 'a.clothesSize as wanted', jacketState.as('state')]),
    sorts: { createdAt: { by: sql`r.created_at`, type: 'timestamptz' } },
    id: sql`r.id`,
  })

type Stock = {
  size: ClothesSize
  position: number
  waiting: number
  share: number
  onHand: number
  short: number
  handedOut: number
  toOrder: number
}

/** Demand and stock of every size; `margin` is the percentage ordered on top of what waiting students need. */
const stock = (margin: number) => sql<Stock>`(SELECT s.size, s.position, s.on_hand, d.waiting, o.handed_out,
    d.waiting::float / greatest(max(d.waiting) OVER (), 1) AS share,
    greatest(d.waiting - s.on_hand, 0) AS short,
    greatest(ceil(d.waiting * (100 + ${margin}::int) / 100.0)::int - s.on_hand, 0) AS to_order
  FROM jacket_stock s
  CROSS JOIN LATERAL (SELECT count(*)::int AS waiting FROM registrations r JOIN applicants a ON a.id = r.applicant_id
    WHERE r.status IN ('confirmed', 'enrolled') AND a.clothes_size = s.size
      AND NOT EXISTS (SELECT FROM jacket_hand_outs x WHERE x.registration_id = r.id)) d
  CROSS JOIN LATERAL (SELECT count(*)::int AS handed_out FROM jacket_hand_outs x
    WHERE x.size = s.size AND x.ended_at IS NULL) o)`

export const serveJacketStock = (app: App, services: Services) =>
  serveList(app, services, listJacketStock, {
    from: (_reader, { margin }) => services.db.selectFrom(stock(Number(margin ?? defaultOrderMargin)).as('s')),
    scope: 'everyone',
    filters: {
      // `from` applies the margin.
      margin: () => undefined,
    },
    columns: (rows) =>
      rows.select(['s.size', 's.waiting', 's.share', 's.onHand', 's.short', 's.handedOut', 's.toOrder']),
    sorts: { position: { by: sql`s.position`, type: 'integer' } },
    id: sql`s.position`,
    idType: 'bigint',
    exact: true,
    sums: { waiting: sql`s.waiting`, onHand: sql`s.on_hand`, handedOut: sql`s.handed_out` },
  })

export const serveJacketMovements = (app: App, services: Services) =>
  serveList(app, services, listJacketMovements, {
    from: () => services.db.selectFrom('jacketMovements as m'),
    scope: 'everyone',
    filters: {
      kind: 'm.kind',
      size: 'm.size',
    },
    columns: (rows) =>
      rows
        .leftJoin('jacketDeliveries as d', 'd.id', 'm.deliveryId')
        .leftJoin('accounts as u', 'u.id', 'm.byAccountId')
        .select(['m.id', 'm.at', 'm.kind', 'm.size', 'm.quantity', 'u.name as by'])
        .select(sql<string | null>`coalesce(d.supplier || ' · ' || d.reference, m.reason)`.as('note')),
    sorts: { id: { by: sql`m.id`, type: 'bigint' } },
    id: sql`m.id`,
    idType: 'bigint',
    toRows: (found) => found.map((row) => ({ ...row, id: String(row.id) })),
  })
