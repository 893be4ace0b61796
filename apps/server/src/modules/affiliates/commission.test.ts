import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkInvariants } from '#server/modules/ops/check-invariants.ts'
import { issueBill } from '#server/modules/payments/bills/change/issue-bill.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { anAffiliate, aReferred, aRule, step } from '#server-test/factories/affiliates.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import {
  academic,
  clerk,
  day,
  decide,
  ok,
  paidInCash,
  second,
  setDeskStage,
  t,
} from '#server-test/stages/desk-stage.ts'
import { isWhole } from '#testing/form.ts'
import { settleCommission } from './settle/settle-commission.job.ts'
import { settleRegistration } from './settle/settle-registration.ts'

setDeskStage()

let marketing: TestActor
let finance: TestActor
beforeAll(async () => {
  marketing = await asStaff(t, 'Marketing')
  finance = await asStaff(t, 'Keuangan')
})

const entriesOf = async (affiliateId: string) =>
  (
    await t.db
      .selectFrom('commissionEntries')
      .select(['stage', 'kind', 'amount', 'cause'])
      .where('affiliateId', '=', affiliateId)
      .orderBy('seq')
      .execute()
  ).map(({ stage, kind, amount, cause }) => `${stage} ${kind} ${amount} ${cause}`)

const balanceOf = async (affiliateId: string) =>
  (
    await t.db
      .selectFrom('commissionBalances')
      .select('balance')
      .where('affiliateId', '=', affiliateId)
      .executeTakeFirstOrThrow()
  ).balance

/** A referred registration with its fee of 250,000 paid. */
async function aPaid(code: string) {
  const registration = await aReferred(t, academic, code)
  const bill = await inTransaction(t.services, systemActor, (context) =>
    issueBill(context, {
      registrationId: registration.id,
      accountId: registration.accountId,
      kind: 'registration_fee',
      lines: [{ description: 'Biaya pendaftaran', amount: 250_000 }],
      dueAt: new Date(t.clock.now().getTime() + 3 * day),
      installmentPlanId: null,
    }),
  )
  const paymentId = await paidInCash(bill.id, 250_000)
  if ((await statusOf(registration.id)) === 'submitted') await step(t, registration.id, 'paid')
  return { ...registration, paymentId, billId: bill.id }
}
const statusOf = async (id: string) =>
  (await t.db.selectFrom('registrations').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status

async function refund(paymentId: string, amount: number) {
  const account = { bank: 'Bank Contoh', accountNumber: '1234567890', accountHolder: 'Dewi' }
  const { id } = ok(
    await clerk.post(`/pembayaran-mahasiswa/${paymentId}/refund`, { amount, ...account, reason: 'Mengundurkan diri' }),
  )
  ok(await decide(second, id))
}

describe('commission', () => {
  test('is earned once at each step, however often and by however many jobs it is computed', async () => {
    const affiliate = await anAffiliate(t)
    await aRule(t, affiliate.id, { stage: 'submitted', amount: 10_000 })
    await aRule(t, affiliate.id, { stage: 'paid', shareBps: 1_000 })
    const { id } = await aPaid(affiliate.code.toLowerCase())
    await sql`INSERT INTO commission_due (registration_id) SELECT ${id} FROM generate_series(1, 20)`.execute(t.db)
    await Promise.all(Array.from({ length: 8 }, () => settleCommission(t.services)))
    expect(await entriesOf(affiliate.id)).toEqual(['submitted earned 10000 step', 'paid earned 25000 step'])
    expect(await checkInvariants(t.services)).toEqual([])
  })

  test('finds one affiliate when several jobs look for it at once', async () => {
    const affiliate = await anAffiliate(t)
    await aRule(t, affiliate.id, { stage: 'submitted', amount: 10_000 })
    for (let n = 0; n < (isWhole ? 100 : 20); n++) {
      const { id } = await aPaid(affiliate.code)
      const settle = () => t.db.transaction().execute((tx) => settleRegistration(tx, id, t.clock.now()))
      const settled = await Promise.all(Array.from({ length: 8 }, settle))
      expect(settled.reduce((sum, entries) => sum + entries, 0)).toBe(1)
    }
  })

  test('is taken back once by the share of a refund, even after it was paid out, and the debt carries over', async () => {
    await t.db
      .insertInto('refundPolicies')
      .values({ code: 'K50', name: '50 %', kind: 'registration_fee', lastDay: '2099-12-31', shareBps: 5_000 })
      .execute()
    const affiliate = await anAffiliate(t)
    await aRule(t, affiliate.id, { amount: 100_000 })
    const { id, paymentId } = await aPaid(affiliate.code)
    await settleCommission(t.services)
    const { id: payout } = ok(await marketing.post('/komisi/payouts', { note: '' }))
    ok(await finance.post(`/komisi/payouts/${payout}/approve`))
    expect(await balanceOf(affiliate.id)).toBe(0)
    await step(t, id, 'withdrawn')
    await refund(paymentId, 125_000)
    await sql`INSERT INTO commission_due (registration_id) SELECT ${id} FROM generate_series(1, 5)`.execute(t.db)
    await Promise.all([1, 2, 3].map(() => settleCommission(t.services)))
    expect(await entriesOf(affiliate.id)).toEqual([
      'paid earned 100000 step',
      'none paid -100000 payout',
      'paid clawback -50000 refund',
    ])
    expect(await balanceOf(affiliate.id)).toBe(-50_000)
    const preview = (await marketing.get('/komisi/payouts/preview')).json().data
    expect(preview.people).toBe(0)
    expect(await checkInvariants(t.services)).toEqual([])
  })

  test('is taken back in full after a reversal, and the ledger refuses changes', async () => {
    const affiliate = await anAffiliate(t)
    await aRule(t, affiliate.id, { amount: 40_000 })
    const { paymentId } = await aPaid(affiliate.code)
    await settleCommission(t.services)
    const { id } = ok(await clerk.post(`/pembayaran-mahasiswa/${paymentId}/reversal`, { reason: 'Cek ditolak bank' }))
    ok(await decide(second, id))
    await settleCommission(t.services)
    expect(await entriesOf(affiliate.id)).toEqual(['paid earned 40000 step', 'paid clawback -40000 payment'])
    for (const change of [sql`UPDATE commission_entries SET amount = 1`, sql`DELETE FROM commission_entries`]) {
      await expect(change.execute(t.db)).rejects.toThrow()
      await expect(change.execute(t.owner)).rejects.toThrow('append-only')
    }
  })

  test('is taken back after a cancellation if the rule says so', async () => {
    const affiliate = await anAffiliate(t)
    await aRule(t, affiliate.id, { amount: 40_000, onClose: 'all' })
    const { id } = await aPaid(affiliate.code)
    await settleCommission(t.services)
    await step(t, id, 'cancelled')
    await settleCommission(t.services)
    expect(await entriesOf(affiliate.id)).toEqual(['paid earned 40000 step', 'paid clawback -40000 step'])
  })

  test('is held, not refused, until staff decide if the applicant has the phone of the affiliate', async () => {
    const affiliate = await anAffiliate(t, { phone: '+6281234567899' })
    await aRule(t, affiliate.id, { amount: 70_000 })
    const { id, accountId } = await aPaid(affiliate.code)
    await t.db.updateTable('applicants').set({ phone: '+6281234567899' }).where('accountId', '=', accountId).execute()
    await settleCommission(t.services)
    expect(await balanceOf(affiliate.id)).toBe(70_000)
    const { data } = (await marketing.get('/komisi/holds?state=open')).json()
    expect(data).toMatchObject([{ reason: 'same_phone', amount: 70_000 }])
    expect((await marketing.get('/komisi/payouts/preview')).json().data.people).toBe(0)
    const decision = { decision: 'take_back', reason: 'Nomor sendiri' }
    const answers = await Promise.all([1, 2].map(() => marketing.post(`/komisi/holds/${data[0].id}/decide`, decision)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    expect(await entriesOf(affiliate.id)).toEqual(['paid earned 70000 step', 'paid clawback -70000 hold'])
    expect(await statusOf(id)).toBe('paid')
  })

  test('goes to the affiliate of the voucher before that of the code, for good', async () => {
    const [own, other] = [await anAffiliate(t), await anAffiliate(t)]
    await aRule(t, own.id, { stage: 'submitted', amount: 5_000 })
    await aRule(t, other.id, { stage: 'submitted', amount: 7_000 })
    const { id } = await aReferred(t, academic, other.code)
    const { id: discountId } = await t.db
      .insertInto('discounts')
      .values({ code: 'VA', name: 'VA', value: 1, condition: 'voucher', appliesTo: 'registration_fee', uses: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: voucherId } = await t.db
      .insertInto('vouchers')
      .values({ discountId, code: 'VA-1', affiliateId: own.id, uses: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const use = await t.db
      .insertInto('discountUses')
      .values({ discountId, voucherId, registrationId: id, takenAt: t.clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    await settleCommission(t.services)
    await t.db.updateTable('discounts').set({ uses: 0 }).where('id', '=', discountId).execute()
    await t.db.updateTable('vouchers').set({ uses: 0 }).where('id', '=', voucherId).execute()
    await t.db.updateTable('discountUses').set({ releasedAt: t.clock.now() }).where('id', '=', use.id).execute()
    await step(t, id, 'paid')
    await settleCommission(t.services)
    expect([await entriesOf(own.id), await entriesOf(other.id)]).toEqual([['submitted earned 5000 step'], []])
  })
})

describe('a rule', () => {
  test('counts once a second account has approved it, for later steps only', async () => {
    const affiliate = await anAffiliate(t)
    const early = await aReferred(t, academic, affiliate.code)
    const rule = {
      affiliateId: affiliate.id,
      kind: null,
      stage: 'submitted',
      amount: 9_000,
      percent: null,
      onClose: 'all',
      reason: 'Kesepakatan',
    }
    const { id } = ok(await finance.post('/komisi/rules', rule))
    expect((await finance.post('/komisi/rules', rule)).json().code).toBe('commission_rule_pending')
    expect((await finance.post(`/komisi/rules/${id}/approve`)).json().code).toBe('own_request')
    expect((await marketing.post(`/komisi/rules/${id}/approve`)).statusCode).toBe(403)
    t.clock.set(new Date(t.clock.now().getTime() + 60_000))
    const other = await asStaff(t, 'Keuangan')
    ok(await other.post(`/komisi/rules/${id}/approve`))
    t.clock.set(new Date(t.clock.now().getTime() + 60_000))
    const late = await aReferred(t, academic, affiliate.code)
    await settleCommission(t.services)
    const earned = await t.db
      .selectFrom('commissionEntries')
      .select('registrationId')
      .where('affiliateId', '=', affiliate.id)
      .execute()
    expect(earned.map(({ registrationId }) => registrationId)).toEqual([late.id])
    expect(early.id).not.toBe(late.id)
    await expect(sql`UPDATE commission_rules SET amount = 1 WHERE id = ${id}`.execute(t.owner)).rejects.toThrow(
      'new version',
    )
  })

  test("for an affiliate cannot be approved by that affiliate's account", async () => {
    const approver = await asStaff(t, 'Keuangan')
    const { id: affiliateId } = await anAffiliate(t, { accountId: approver.accountId })
    const rule = { affiliateId, kind: null, stage: 'submitted', amount: 9_000, percent: null, onClose: 'all' }
    const { id } = ok(await finance.post('/komisi/rules', { ...rule, reason: 'Kesepakatan' }))
    const answer = await approver.post(`/komisi/rules/${id}/approve`)
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'own_request'])
    ok(await (await asStaff(t, 'Keuangan')).post(`/komisi/rules/${id}/approve`))
  })

  test('with a share needs a step with money, and an affiliate or a kind', async () => {
    const rule = {
      affiliateId: null,
      kind: 'alumni',
      stage: 'submitted',
      amount: null,
      percent: 5,
      onClose: 'all',
      reason: 'Kesepakatan',
    }
    expect((await finance.post('/komisi/rules', rule)).json().errors.percent).toBeDefined()
    expect(
      (await finance.post('/komisi/rules', { ...rule, stage: 'paid', kind: null })).json().errors.kind,
    ).toBeDefined()
    expect(
      (await finance.post('/komisi/rules', { ...rule, stage: 'paid', amount: 5 })).json().errors.amount,
    ).toBeDefined()
  })
})

describe('a payout', () => {
  const frozen = async () => {
    const affiliate = await anAffiliate(t)
    await aRule(t, affiliate.id, { stage: 'submitted', amount: 30_000 })
    await aReferred(t, academic, affiliate.code)
    await settleCommission(t.services)
    const { id } = ok(await marketing.post('/komisi/payouts', { note: 'November' }))
    return { affiliate, id }
  }

  test.each([2, 20])('approved %i times at once pays once', async (many) => {
    const { affiliate, id } = await frozen()
    const answers = await Promise.all(Array.from({ length: many }, () => finance.post(`/komisi/payouts/${id}/approve`)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(many - 1)
    expect(await entriesOf(affiliate.id)).toEqual(['submitted earned 30000 step', 'none paid -30000 payout'])
  })

  test('created twenty times at once freezes each balance once', async () => {
    const affiliate = await anAffiliate(t)
    await aRule(t, affiliate.id, { stage: 'submitted', amount: 30_000 })
    await aReferred(t, academic, affiliate.code)
    await settleCommission(t.services)
    const answers = await Promise.all(Array.from({ length: 20 }, () => marketing.post('/komisi/payouts', { note: '' })))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(answers.find(({ statusCode }) => statusCode !== 200)!.json().code).toBe('payout_empty')
    const payout = answers.find(({ statusCode }) => statusCode === 200)!.json().data
    expect(payout).toMatchObject({ status: 'frozen', amount: 30_000, tax: 750 })
    expect((await marketing.get(`/komisi/payouts/${payout.id}/bank-file`)).json().code).toBe('payout_not_approved')
    ok(await marketing.post(`/komisi/payouts/${payout.id}/cancel`))
    expect((await finance.post(`/komisi/payouts/${payout.id}/approve`)).statusCode).toBe(409)
    expect((await marketing.get('/komisi/payouts/preview')).json().data).toMatchObject({ people: 1, amount: 30_000 })
    ok(await marketing.post('/komisi/payouts', { note: '' }))
  })

  const earnAgain = async (code: string) => {
    await aReferred(t, academic, code)
    await settleCommission(t.services)
  }

  test('leaves out and names affiliates with an undecided earlier payout, and pays them once it is decided', async () => {
    const { affiliate, id } = await frozen()
    const { number } = (await marketing.get(`/komisi/payouts/${id}`)).json().data
    await earnAgain(affiliate.code)
    const { affiliate: other, id: next } = await frozen()
    const payout = (await marketing.get(`/komisi/payouts/${next}`)).json().data
    expect(payout.lines).toMatchObject([{ name: other.name, amount: 30_000 }])
    const preview = (await marketing.get('/komisi/payouts/preview')).json().data
    expect(preview).toMatchObject({ people: 0, amount: 0 })
    expect(preview.waiting).toEqual([{ name: affiliate.name, amount: 30_000, payoutId: id, number }])
    expect((await marketing.post('/komisi/payouts', { note: '' })).json().code).toBe('payout_empty')
    ok(await finance.post(`/komisi/payouts/${id}/approve`))
    ok(await finance.post(`/komisi/payouts/${next}/approve`))
    const { id: last } = ok(await marketing.post('/komisi/payouts', { note: '' }))
    ok(await finance.post(`/komisi/payouts/${last}/approve`))
    expect([await balanceOf(affiliate.id), await balanceOf(other.id)]).toEqual([0, 0])
    expect(await checkInvariants(t.services)).toEqual([])
  })

  test("created while another one freezes an affiliate's balance pays only the others", async () => {
    const [held, other] = [await anAffiliate(t), await anAffiliate(t)]
    for (const { id, code } of [held, other]) {
      await aRule(t, id, { stage: 'submitted', amount: 30_000 })
      await earnAgain(code)
    }
    const { id: first } = ok(await marketing.post('/komisi/payouts', { note: '' }))
    ok(await marketing.post(`/komisi/payouts/${first}/cancel`))
    const lock = sql`SELECT pg_advisory_xact_lock(hashtext('commission-payout'))`
    const freeze = sql`WITH run AS (INSERT INTO payout_runs (number, tax_bps, created_at, created_by)
        VALUES ('KMS-LAIN', 0, now(), ${finance.accountId}) RETURNING id)
      INSERT INTO payout_lines (run_id, affiliate_id, amount, tax, bank, account_number, account_holder)
      SELECT id, ${held.id}, 20000, 0, 'Bank', '12345', 'Nama' FROM run`
    const { id } = ok(await raceBehind(t, lock, 1, () => marketing.post('/komisi/payouts', { note: '' }), freeze))
    expect((await marketing.get(`/komisi/payouts/${id}`)).json().data.lines).toMatchObject([{ name: other.name }])
    ok(await finance.post(`/komisi/payouts/${id}/approve`))
    expect([await balanceOf(held.id), await balanceOf(other.id)]).toEqual([30_000, 0])
    expect(await checkInvariants(t.services)).toEqual([])
  })

  test('cannot be approved by the account that created it, nor after commission was taken back', async () => {
    const affiliate = await anAffiliate(t)
    await aRule(t, affiliate.id, { stage: 'submitted', amount: 30_000, onClose: 'all' })
    const { id: registration } = await aReferred(t, academic, affiliate.code)
    await settleCommission(t.services)
    const { id } = ok(await finance.post('/komisi/payouts', { note: '' }))
    expect((await finance.post(`/komisi/payouts/${id}/approve`)).json().code).toBe('own_request')
    await step(t, registration, 'cancelled')
    await settleCommission(t.services)
    const other = await asStaff(t, 'Keuangan')
    const answer = await other.post(`/komisi/payouts/${id}/approve`)
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'payout_changed'])
    expect(answer.json().message).toContain(affiliate.name)
    ok(await finance.post(`/komisi/payouts/${id}/cancel`))
  })

  test('cannot be approved by an account it pays', async () => {
    const { affiliate, id } = await frozen()
    const payee = await asStaff(t, 'Keuangan')
    await t.db.updateTable('affiliates').set({ accountId: payee.accountId }).where('id', '=', affiliate.id).execute()
    const answer = await payee.post(`/komisi/payouts/${id}/approve`)
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'own_request'])
    expect(await balanceOf(affiliate.id)).toBe(30_000)
    ok(await finance.post(`/komisi/payouts/${id}/approve`))
    expect(await checkInvariants(t.services)).toEqual([])
  })

  test('has a bank file, is marked as paid, and a returned transfer goes back to the balance once', async () => {
    const { affiliate, id } = await frozen()
    ok(await finance.post(`/komisi/payouts/${id}/approve`))
    const file = await finance.get(`/komisi/payouts/${id}/bank-file`)
    expect(file.statusCode).toBe(200)
    expect(file.body).toContain('Bank Contoh')
    expect(file.body).toContain('29250')
    const answer = await finance.post(`/komisi/payouts/${id}/paid`, { reference: 'BCA-123' })
    expect(answer.statusCode).toBe(200)
    const paid = answer.json().data
    const line = paid.lines[0].id
    expect(paid.lines[0].account).toMatch(/^••••\d{4}$/)
    const answers = await Promise.all(
      [1, 2, 3].map(() => finance.post(`/komisi/payouts/${id}/lines/${line}/return`, { reason: 'Rekening ditutup' })),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409])
    expect(await balanceOf(affiliate.id)).toBe(30_000)
    expect(await checkInvariants(t.services)).toEqual([])
  })
})

describe('a registration', () => {
  test('whose commission cannot be computed stays due without holding up others, and the job fails', async () => {
    const [broken, other] = [await anAffiliate(t), await anAffiliate(t)]
    for (const { id } of [broken, other]) await aRule(t, id, { amount: 40_000 })
    await sql`CREATE FUNCTION refuse_entries() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no entry today'; END $$`.execute(
      t.owner,
    )
    await sql`CREATE TRIGGER refuse_entries BEFORE INSERT ON commission_entries FOR EACH ROW
      WHEN (NEW.affiliate_id = ${sql.lit(broken.id)}) EXECUTE FUNCTION refuse_entries()`.execute(t.owner)
    await aPaid(broken.code)
    await aPaid(other.code)
    await expect(settleCommission(t.services)).rejects.toThrow('no entry today')
    expect(await entriesOf(other.id)).toEqual(['paid earned 40000 step'])
    expect(await entriesOf(broken.id)).toEqual([])
    await sql`DROP FUNCTION refuse_entries() CASCADE`.execute(t.owner)
    await settleCommission(t.services)
    expect(await entriesOf(broken.id)).toEqual(['paid earned 40000 step'])
  })
})
