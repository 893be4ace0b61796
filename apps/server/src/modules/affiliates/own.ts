import { type NotNull, sql } from 'kysely'
import type { z } from 'zod'
import { commissionStages } from '#domain/affiliates/commission.ts'
import type { readOwnAffiliate, saveOwnAffiliate } from '#domain/affiliates/endpoints.ts'
import { theOnly } from '#domain/must.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { maskText } from '#server/platform/access/masks.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import { qrOf } from '#server/platform/files/qr.ts'
import { imageUrl } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'
import { readBalance } from './link-account.ts'
import { findOwnAffiliate, getOwnAffiliate } from './own-affiliate.ts'
import { referredBy } from './own-lists.ts'
import { linkOf } from './public-affiliates.ts'
import { ruleAt } from './settle/commission.ts'

/** The affiliate as the server returns it, with times as Dates. */
type SentAffiliate = NonNullable<z.input<typeof readOwnAffiliate.response>['data']['affiliate']>

/** The account's own affiliate, else its newest request to become one. */
export async function readOwn(services: Services, actor: Actor) {
  const { db } = services
  const id = await findOwnAffiliate(db, actor)
  if (id) return { affiliate: await showOwn(services, actor, id), application: null }
  const application = await db
    .selectFrom('affiliateApplications')
    .select(['id', 'status', 'createdAt', 'note'])
    .where('accountId', '=', actor.accountId)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { affiliate: null, application: application ?? null }
}

async function showOwn(services: Services, actor: Actor, id: string): Promise<SentAffiliate> {
  const { db, clock } = services
  const row = await db.selectFrom('affiliates').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const own = await db.selectFrom('affiliateProgrammes').select('programmeId').where('affiliateId', '=', id).execute()
  const path = row.slug ?? row.code.toLowerCase()
  const link = linkOf(services, { path, code: row.code })
  return {
    id,
    code: row.code,
    name: row.name,
    kind: row.kind,
    public: row.public,
    path,
    link,
    qr: qrOf(link),
    photo: row.photoFileId ? imageUrl(services, actor, 'photo', row.photoFileId, { thumbnail: true }) : null,
    bank: row.bankName && row.bankAccount ? `${row.bankName} ${maskText(row.bankAccount)}` : null,
    version: row.version,
    page: {
      slug: row.slug,
      biography: row.biography ?? '',
      programmeIds: own.map(({ programmeId }) => programmeId),
      counted: row.countedSince !== null,
    },
    programmes: await db
      .selectFrom('studyProgrammes')
      .select(['id', 'name'])
      .where('active', '=', true)
      .orderBy('name')
      .execute(),
    balance: await readBalance(db, id),
    people: await countPeople(db, id),
    rules: await rulesOf(db, id, row.kind, clock.now()),
    vouchers: await vouchersOf(db, id),
    payouts: await payoutsOf(db, id),
  }
}

async function countPeople(db: Db, id: string) {
  const { rows } = await sql<SentAffiliate['people']>`
    SELECT (SELECT count(*)::int FROM affiliate_touches t WHERE t.affiliate_id = ${id}) AS touches, count(*)::int AS started,
      count(r.submitted_at)::int AS submitted, count(r.enrolled_at)::int AS enrolled
    FROM registrations r WHERE r.id IN (${referredBy(id)})`.execute(db)
  return theOnly(rows)
}

async function rulesOf(db: Db, id: string, kind: SentAffiliate['kind'], now: Date) {
  const rules = await db
    .selectFrom('commissionRules')
    .select(['stage', 'amount', 'shareBps', 'version', 'approvedAt', 'affiliateId'])
    .where('approvedAt', 'is not', null)
    .$narrowType<{ approvedAt: NotNull }>()
    .where((eb) => eb.or([eb('affiliateId', '=', id), eb('kind', '=', kind)]))
    .execute()
  return commissionStages.flatMap((stage) => {
    const rule = ruleAt(
      rules.flatMap((one) => (one.stage === stage ? [{ ...one, own: one.affiliateId !== null }] : [])),
      now,
    )
    return rule && (rule.amount || rule.shareBps) ? [{ stage, amount: rule.amount, shareBps: rule.shareBps }] : []
  })
}

const vouchersOf = (db: Db, id: string) =>
  db
    .selectFrom('vouchers as v')
    .innerJoin('discounts as d', 'd.id', 'v.discountId')
    .select(['v.code', 'd.name as discount', 'v.uses', 'v.maxUses', 'v.validTo'])
    .where('v.affiliateId', '=', id)
    .where('v.active', '=', true)
    .orderBy('v.code')
    .limit(100)
    .execute()

const payoutsOf = (db: Db, id: string) =>
  db
    .selectFrom('payoutLines as l')
    .innerJoin('payoutRuns as p', 'p.id', 'l.runId')
    .select(['p.number', 'p.status', 'l.status as line', 'l.amount', 'l.tax'])
    .select(sql<Date>`coalesce(p.paid_at, p.approved_at, p.created_at)`.as('at'))
    .where('l.affiliateId', '=', id)
    .where('l.status', '<>', 'cancelled')
    .orderBy('p.createdAt', 'desc')
    .limit(100)
    .execute()

type OwnPage = z.output<typeof saveOwnAffiliate.body>

/** Saves the public page of the actor's own affiliate; staff decide whether it is shown. */
export const saveOwn = (
  services: Services,
  actor: Actor,
  { slug, biography, programmeIds, counted, version }: OwnPage,
) =>
  services.db.transaction().execute(async (tx) => {
    const id = await getOwnAffiliate(tx, actor)
    const before = await tx
      .selectFrom('affiliates')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (before.version !== version) throw conflict('stale_version')
    const now = services.clock.now()
    if (slug) {
      // No slug may equal the slug or code of another affiliate.
      const other = await tx
        .selectFrom('affiliates')
        .select('id')
        .where('id', '<>', id)
        .where((eb) => eb.or([eb('slug', '=', slug), eb(sql`lower(code)`, '=', slug)]))
        .executeTakeFirst()
      if (other) throw invalid({ slug: 'already_exists' })
    }
    const programmes = [...new Set(programmeIds)]
    const known = programmes.length
      ? await tx
          .selectFrom('studyProgrammes')
          .select('id')
          .where('id', 'in', programmes)
          .where('active', '=', true)
          .execute()
      : []
    if (known.length < programmes.length) throw invalid({ programmeIds: 'not_found' })
    await tx
      .updateTable('affiliates')
      .set({
        slug,
        biography: biography || null,
        countedSince: counted ? (before.countedSince ?? now) : null,
        version: version + 1,
        updatedAt: now,
        updatedBy: actor.accountId,
      })
      .where('id', '=', id)
      .execute()
    await tx.deleteFrom('affiliateProgrammes').where('affiliateId', '=', id).execute()
    if (programmes.length > 0)
      await tx
        .insertInto('affiliateProgrammes')
        .values(programmes.map((programmeId) => ({ affiliateId: id, programmeId })))
        .execute()
    await recordAudit(tx, actor, {
      action: 'affiliate.page',
      on: { affiliate: id },
      before: { slug: before.slug, biography: before.biography, counted: before.countedSince !== null },
      after: { slug, biography, counted, programmes: programmes.length },
    })
  })
