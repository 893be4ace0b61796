import { sql } from 'kysely'
import type { TestApp } from '#server-test/test-app.ts'
import type { AcademicFixture } from './academic.ts'
import { aPayableRegistration } from './payments.ts'

let count = 0

type Change = Partial<{
  code: string
  name: string
  public: boolean
  accountId: string
  phone: string
  bankAccount: string | null
}>

/** An affiliate with bank details. */
export async function anAffiliate(t: TestApp, change: Change = {}) {
  const code = `AF${++count}`
  return t.db
    .insertInto('affiliates')
    .values({
      code,
      name: `Afiliator ${count}`,
      phone: `+62811900${1000 + count}`,
      bankName: 'Bank Contoh',
      bankAccount: `77000${1000 + count}`,
      ...change,
    })
    .returning(['id', 'code', 'name'])
    .executeTakeFirstOrThrow()
}

type Rule = {
  amount?: number
  shareBps?: number
  stage?: 'submitted' | 'paid' | 'enrolled'
  onClose?: 'refunds' | 'all'
}

/** A rule that has long been in force. */
export const aRule = (t: TestApp, affiliateId: string, { stage = 'paid', ...rule }: Rule) =>
  t.db
    .insertInto('commissionRules')
    .values({
      affiliateId,
      stage,
      version: 1,
      reason: 'Kesepakatan',
      createdAt: new Date(0),
      approvedAt: new Date(0),
      ...rule,
    })
    .returning('id')
    .executeTakeFirstOrThrow()

/** Moves a registration to a step, like the server. */
export async function step(
  t: TestApp,
  id: string,
  status: 'submitted' | 'paid' | 'enrolled' | 'withdrawn' | 'cancelled',
) {
  const now = t.clock.now()
  const column = {
    submitted: 'submittedAt',
    paid: 'paidAt',
    enrolled: 'enrolledAt',
    withdrawn: 'closedAt',
    cancelled: 'closedAt',
  }[status]
  await t.db
    .updateTable('registrations')
    .set({ status, [column]: now })
    .where('id', '=', id)
    .execute()
  await sql`SELECT fill_registration_steps()`.execute(t.db)
}

/** A submitted registration of a person who came through the affiliate's code. */
export async function aReferred(t: TestApp, academic: AcademicFixture, code: string, name = 'Dewi Lestari') {
  const registration = await aPayableRegistration(t, academic, { status: 'draft', name })
  await t.db.updateTable('registrations').set({ referralCode: code }).where('id', '=', registration.id).execute()
  await step(t, registration.id, 'submitted')
  return registration
}

/** Rows in every commission list about a registration, with the affiliate's account. */
export async function someCommission(t: TestApp, affiliateId: string, registrationId: string, accountId: string) {
  const now = t.clock.now()
  const id = async (query: { executeTakeFirstOrThrow(): Promise<{ id: string }> }) =>
    (await query.executeTakeFirstOrThrow()).id
  await t.db.updateTable('affiliates').set({ accountId }).where('id', '=', affiliateId).execute()
  await t.db.insertInto('referrals').values({ registrationId, affiliateId, source: 'code', decidedAt: now }).execute()
  const rule = await aRule(t, affiliateId, { stage: 'submitted', amount: 20_000 })
  const entry = { affiliateId, registrationId, ruleId: rule.id, stage: 'submitted', kind: 'earned', base: 0 } as const
  await t.db
    .insertInto('commissionEntries')
    .values({ ...entry, amount: 20_000, cause: 'step', causeId: '1', createdAt: now })
    .execute()
  const hold = await id(
    t.db
      .insertInto('commissionHolds')
      .values({ affiliateId, registrationId, reason: 'burst', createdAt: now })
      .returning('id'),
  )
  const payout = await id(
    t.db
      .insertInto('payoutRuns')
      .values({ number: 'KMS-RAHASIA', taxBps: 250, createdAt: now, createdBy: accountId })
      .returning('id'),
  )
  const line = await id(
    t.db
      .insertInto('payoutLines')
      .values({
        runId: payout,
        affiliateId,
        amount: 1_000,
        tax: 25,
        bank: 'Bank',
        accountNumber: '12345',
        accountHolder: 'Nama',
      })
      .returning('id'),
  )
  const application = await id(
    t.db
      .insertInto('affiliateApplications')
      .values({
        accountId,
        name: 'Pemohon',
        kind: 'alumni',
        phone: '+628110000001',
        reason: 'Membantu',
        createdAt: now,
      })
      .returning('id'),
  )
  return {
    affiliates: affiliateId,
    rules: rule.id,
    holds: hold,
    payouts: payout,
    lines: line,
    applications: application,
  }
}
