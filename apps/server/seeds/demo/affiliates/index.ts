import { sql } from 'kysely'
import { demoId } from '#seeds/demo/university.ts'
import { decideHold } from '#server/modules/affiliates/holds.ts'
import { approvePayout, createPayout, markPaid, previewPayout } from '#server/modules/affiliates/payouts.ts'
import { settleRegistration } from '#server/modules/affiliates/settle/settle-registration.ts'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { demoAffiliates, demoRules } from './people.ts'

const dayMs = 86_400_000

/** Services whose clock is this many days in the past. */
const at = (services: Services, daysAgo: number): Services => {
  const moment = new Date(services.clock.now().getTime() - daysAgo * dayMs)
  return { ...services, clock: { ...services.clock, now: () => moment } }
}

/** An account of the demo acting as itself. */
const actorOf = (email: string, name: string, role: string): Actor => ({
  ...systemActor,
  accountId: demoId(`account:${email}`),
  email,
  name,
  role: { id: '', name: role },
})
const marketing = actorOf('marketing@demo.test', 'Marketing Contoh', 'Marketing')
const finance = actorOf('keuangan@demo.test', 'Keuangan Contoh', 'Keuangan')

/**
 * Adds a dozen affiliates with visits, vouchers, referrals, commission, an alarm, a claw-back and two payouts. Existing
 * codes, vouchers and referrals stay unchanged.
 */
export async function seedDemoAffiliates(services: Services): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  await addAffiliates(db, now)
  await addRules(db, now)
  await addReferrals(db)
  await addVouchers(db, now)
  await addVisits(db, now)
  await addApplication(db, now)
  await settleUntil(services, 40)
  await payOut(services)
  await settleUntil(services, 0)
  await decideAlarms(services)
  if ((await previewPayout(db)).people > 0) await createPayout(at(services, 1), marketing, 'Pencairan berjalan')
}

async function addAffiliates(db: Db, now: Date) {
  await db
    .insertInto('affiliates')
    .values(
      demoAffiliates.map(({ code, name, kind, biography, slug, counted, bank, public: isPublic }, index) => ({
        id: demoId(`affiliate:${code}`),
        code,
        name,
        kind,
        biography,
        slug,
        public: isPublic,
        countedSince: counted ? new Date(now.getTime() - 200 * dayMs) : null,
        phone: `+6281190000${String(index + 1).padStart(3, '0')}`,
        accountId: code === 'CONTOH26' ? demoId('account:afiliator@demo.test') : null,
        bankName: bank,
        bankAccount: bank && `990077000${index + 1}`,
        bankHolder: bank && name,
      })),
    )
    .onConflict((same) => same.doNothing())
    .execute()
  const codes = demoAffiliates.map(({ code }) => code)
  await sql`INSERT INTO affiliate_programmes (affiliate_id, programme_id)
    SELECT f.id, p.id FROM (SELECT id, row_number() OVER (ORDER BY code) AS n FROM affiliates
      WHERE code = ANY(${codes}) AND public) f
    JOIN (SELECT id, row_number() OVER (ORDER BY code) AS n FROM study_programmes WHERE active) p ON p.n % 4 = f.n % 4
    ON CONFLICT DO NOTHING`.execute(db)
}

async function addRules(db: Db, now: Date) {
  const createdAt = new Date(now.getTime() - 400 * dayMs)
  for (const rule of demoRules)
    await db
      .insertInto('commissionRules')
      .values({
        ...rule,
        id: demoId(`commission:${rule.kind}:${rule.stage}`),
        version: 1,
        reason: 'Ketentuan komisi tahun ini',
        createdAt,
        createdBy: marketing.accountId,
        approvedAt: new Date(createdAt.getTime() + dayMs),
        approvedBy: finance.accountId,
      })
      .onConflict((same) => same.doNothing())
      .execute()
}

/** Attributes a quarter of the registrations, and their accounts, to affiliates. */
async function addReferrals(db: Db) {
  const codes = demoAffiliates.flatMap(({ code, weight }) => Array<string>(weight).fill(code))
  await sql`
    WITH chosen AS (
      SELECT r.id, r.account_id, (${codes}::text[])[1 + (row_number() OVER (ORDER BY md5(r.code)))::int % ${codes.length}] AS code
      FROM registrations r WHERE r.referral_code IS NULL AND ascii(md5(r.code)) % 4 = 0
    ), told_accounts AS (
      UPDATE accounts a SET referral_code = c.code FROM chosen c WHERE a.id = c.account_id AND a.referral_code IS NULL
    )
    UPDATE registrations r SET referral_code = c.code FROM chosen c WHERE r.id = c.id`.execute(db)
}

/** Vouchers for most affiliates; half of the drafts keep one for their future bill. */
async function addVouchers(db: Db, now: Date) {
  const discountId = demoId('discount:affiliates')
  await db
    .insertInto('discounts')
    .values({
      id: discountId,
      code: 'AFILIATOR',
      name: 'Potongan afiliator',
      value: 10,
      condition: 'voucher',
      appliesTo: 'registration_fee',
    })
    .onConflict((same) => same.doNothing())
    .execute()
  for (const { code, voucher } of demoAffiliates)
    if (voucher)
      await sql`INSERT INTO vouchers (discount_id, code, affiliate_id, max_uses)
        SELECT d.id, left(${`TEMAN-${code}`}, 20), f.id, 100 FROM discounts d, affiliates f
        WHERE d.id = ${discountId} AND f.code = ${code} ON CONFLICT DO NOTHING`.execute(db)
  await sql`
    WITH uses AS (
      INSERT INTO discount_uses (discount_id, voucher_id, registration_id, taken_at)
      SELECT v.discount_id, v.id, r.id, least(r.created_at + interval '1 hour', ${now})
      FROM (SELECT *, row_number() OVER (ORDER BY code) AS n FROM registrations WHERE status = 'draft') r
      JOIN (SELECT *, row_number() OVER (ORDER BY code) AS n, count(*) OVER () AS many FROM vouchers
        WHERE discount_id = ${discountId}) v ON v.n = r.n % v.many + 1
      WHERE r.n % 2 = 0 AND NOT EXISTS (SELECT FROM discount_uses u WHERE u.registration_id = r.id)
        AND NOT EXISTS (SELECT FROM bills b WHERE b.registration_id = r.id)
      RETURNING discount_id, voucher_id
    ), discounted AS (
      UPDATE discounts d SET uses = d.uses + (SELECT count(*) FROM uses) WHERE d.id IN (SELECT discount_id FROM uses)
    )
    UPDATE vouchers v SET uses = v.uses + n.count FROM (SELECT voucher_id, count(*) FROM uses GROUP BY 1) n
    WHERE v.id = n.voucher_id`.execute(db)
}

/**
 * The visit that brought each account, a losing earlier visit for some, and visits from devices that never signed up.
 */
async function addVisits(db: Db, now: Date) {
  await sql`
    WITH codes AS (SELECT id, code, row_number() OVER (ORDER BY code) AS n, count(*) OVER () AS many FROM affiliates WHERE active),
    came AS (
      SELECT a.id, a.created_at, c.id AS affiliate_id, gen_random_uuid() AS device,
        (SELECT o.id FROM codes o WHERE o.n = c.n % c.many + 1) AS other, ascii(md5(a.email)) % 3 = 0 AS twice
      FROM accounts a JOIN codes c ON lower(c.code) = lower(a.referral_code)
      WHERE NOT EXISTS (SELECT FROM affiliate_touches t WHERE t.account_id = a.id)
    ), won AS (
      INSERT INTO affiliate_touches (affiliate_id, device, source, day, at, account_id, outcome)
      SELECT affiliate_id, device, 'link', ((created_at - interval '1 day') AT TIME ZONE 'UTC')::date,
        created_at - interval '1 day', id, 'won' FROM came
    )
    INSERT INTO affiliate_touches (affiliate_id, device, source, day, at, account_id, outcome)
    SELECT other, device, 'link', ((created_at - interval '5 days') AT TIME ZONE 'UTC')::date,
      created_at - interval '5 days', id, 'lost' FROM came WHERE twice AND other <> affiliate_id`.execute(db)
  await sql`
    INSERT INTO affiliate_touches (affiliate_id, device, source, day, at)
    SELECT f.id, gen_random_uuid(), CASE WHEN n % 5 = 0 THEN 'voucher' ELSE 'link' END, (seen.at AT TIME ZONE 'UTC')::date, seen.at
    FROM affiliates f CROSS JOIN generate_series(1, 30) n,
      LATERAL (SELECT ${now}::timestamptz - n * (ascii(md5(f.code)) % 5 + 1) * interval '11 hours' AS at) seen
    WHERE f.active`.execute(db)
}

async function addApplication(db: Db, now: Date) {
  await sql`
    INSERT INTO affiliate_applications (account_id, name, kind, phone, reason, biography, created_at)
    SELECT id, name, 'student', '+6281190000900', 'Saya aktif di OSIS dan sering ditanya adik kelas tentang kuliah.',
      'Siswa kelas XII, pengurus OSIS.', ${now}::timestamptz - interval '2 days'
    FROM accounts WHERE email = 'camaba3@demo.test' ON CONFLICT DO NOTHING`.execute(db)
}

/**
 * Computes the commission of registrations whose last step is at least this many days old, at the time of that step.
 */
async function settleUntil({ db, clock }: Services, daysAgo: number) {
  const { rows } = await sql<{ id: string; last: Date }>`
    SELECT * FROM (SELECT r.id, greatest(r.submitted_at, r.paid_at, r.enrolled_at, r.closed_at) AS last FROM registrations r
      WHERE r.submitted_at IS NOT NULL AND (r.referral_code IS NOT NULL OR EXISTS (SELECT FROM discount_uses u
        JOIN vouchers v ON v.id = u.voucher_id WHERE u.registration_id = r.id AND v.affiliate_id IS NOT NULL))) n
    WHERE last <= ${new Date(clock.now().getTime() - daysAgo * dayMs)} ORDER BY last, id`.execute(db)
  for (const { id, last } of rows) await db.transaction().execute((tx) => settleRegistration(tx, id, last))
}

/** Last month's payout: created by marketing, approved by finance, paid. */
async function payOut(services: Services) {
  if ((await previewPayout(services.db)).people === 0) return
  const { id } = await createPayout(at(services, 35), marketing, 'Pencairan bulan lalu')
  await approvePayout(at(services, 34), finance, id)
  await markPaid(at(services, 33), finance, id, 'TRF-DEMO-0001')
}

/** Two holds: staff clawed back the first one's commission after its payout, and have not decided the second. */
async function decideAlarms(services: Services) {
  const { db } = services
  const { rows } = await sql<{ affiliateId: string; registrationId: string; at: Date }>`
    SELECT DISTINCT ON (e.affiliate_id) e.affiliate_id, e.registration_id, e.created_at AS at FROM commission_entries e
    WHERE e.kind = 'earned' AND NOT EXISTS (SELECT FROM commission_holds h WHERE h.registration_id = e.registration_id)
    ORDER BY e.affiliate_id, e.created_at, e.id LIMIT 2`.execute(db)
  for (const [index, { affiliateId, registrationId, at: createdAt }] of rows.entries()) {
    const reason = index === 0 ? ('same_phone' as const) : ('same_device' as const)
    const { id } = await db
      .insertInto('commissionHolds')
      .values({ affiliateId, registrationId, reason, createdAt })
      .returning('id')
      .executeTakeFirstOrThrow()
    const decision = { decision: 'take_back', reason: 'Nomor telepon pendaftar adalah nomor afiliator' } as const
    if (index === 0) await decideHold(at(services, 10), finance, id, decision)
  }
}
