import { sql } from 'kysely'
import { expect } from 'vitest'
import { checkInvariants } from '#server/modules/ops/check-invariants.ts'
import { issueBill, type NewBill } from '#server/modules/payments/bills/change/issue-bill.ts'
import type { ReportedPayment } from '#server/modules/payments/providers/provider.ts'
import { sandboxCode, signedReport } from '#server/modules/payments/providers/sandbox/sandbox-bank.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asApplicant, asStaff, type TestActor } from '#server-test/actors.ts'
import type { TestApp } from '#server-test/test-app.ts'
import type { AcademicFixture } from './academic.ts'

const day = 86_400_000
let count = 0

type RegistrationOptions = {
  actor?: TestActor
  status?: 'draft' | 'submitted' | 'paid' | 'verified' | 'decided' | 'confirmed'
  name?: string
  accepted?: boolean
  trackId?: string
}

/** A registration without documents or seats, for bills. */
export async function aPayableRegistration(t: TestApp, academic: AcademicFixture, options: RegistrationOptions = {}) {
  const actor = options.actor ?? (await asApplicant(t))
  const number = String(++count).padStart(6, '0')
  const { id: applicantId } = await t.db
    .insertInto('applicants')
    .values({ accountId: actor.accountId, fullName: options.name ?? 'Sari Wulandari' })
    .onConflict((oc) => oc.column('accountId').doUpdateSet((eb) => ({ fullName: eb.ref('excluded.fullName') })))
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await t.db
    .insertInto('registrations')
    .values({
      code: `PAY${number}-${process.pid}`,
      applicantId,
      accountId: actor.accountId,
      waveId: academic.wave,
      trackId: options.trackId ?? academic.tracks.regular,
      entryLevelId: academic.entryLevel,
      classProgrammeId: academic.classProgramme,
      programmeId: academic.programmes[0],
      status: options.status ?? 'submitted',
      ...(options.status === 'verified' && { verifiedAt: t.clock.now() }),
      ...(options.accepted && { decision: 'accepted' as const, acceptedProgrammeId: academic.programmes[0] }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`SELECT fill_registration_steps()`.execute(t.db)
  return { id, actor, accountId: actor.accountId }
}

/** Marks a confirmed registration as withdrawn without touching its bills. */
export async function leave(t: TestApp, registrationId: string) {
  await t.db
    .updateTable('registrations')
    .set({ status: 'withdrawn', closedAt: t.clock.now(), closedFrom: 'confirmed' })
    .where('id', '=', registrationId)
    .execute()
  await sql`SELECT fill_registration_steps()`.execute(t.db)
}

/** An approved refund request with its refund, not yet transferred. */
export async function aRefund(t: TestApp, of: { registrationId: string; paymentId: string; requestedBy: string }) {
  const now = t.clock.now()
  const payee = { bank: 'Bank Contoh', accountNumber: '1234567890', accountHolder: 'Contoh' }
  const { id: approval } = await t.db
    .insertInto('approvalRequests')
    .values({
      ...of,
      kind: 'refund',
      amount: 1,
      details: JSON.stringify(payee),
      reason: 'Alasan contoh',
      requestedAt: now,
      status: 'approved',
      decidedBy: (await asStaff(t, 'Keuangan')).accountId,
      decidedAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: refund } = await t.db
    .insertInto('refunds')
    .values({
      number: `RF-CONTOH-${++count}`,
      paymentId: of.paymentId,
      approvalRequestId: approval,
      amount: 1,
      byPolicy: 0,
      ...payee,
      createdAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { approval, refund }
}

/** Details of a bill besides its amount. */
export type BillDetails = RegistrationOptions & Partial<Pick<NewBill, 'kind' | 'lines' | 'dueAt' | 'installmentPlanId'>>

type BillOptions = BillDetails & ({ amount: number } | Pick<NewBill, 'lines'>)

/** A registration with an issued bill of these lines, or one line of this amount; by default the registration fee. */
export async function aBill(t: TestApp, academic: AcademicFixture, options: BillOptions) {
  const registration = await aPayableRegistration(t, academic, options)
  const bill = await inTransaction(t.services, systemActor, (context) =>
    issueBill(context, {
      registrationId: registration.id,
      accountId: registration.accountId,
      kind: options.kind ?? 'registration_fee',
      lines: options.lines ?? [{ description: 'Biaya pendaftaran', amount: 'amount' in options ? options.amount : 0 }],
      dueAt: options.dueAt ?? new Date(t.clock.now().getTime() + 3 * day),
      installmentPlanId: options.installmentPlanId ?? null,
    }),
  )
  return { bill, registration, actor: registration.actor }
}

export async function aVirtualAccount(actor: TestActor, billId: string, body: Record<string, unknown> = {}) {
  const answer = await actor.post(`/bills/${billId}/virtual-account`, { bank: 'sandbox-a', ...body })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data as { id: string; number: string; amount: number; status: string; expiresAt: string }
}

/** Id of a payment the bank reported on a new transfer number of the bill. */
export async function paidAtBank(t: TestApp, actor: TestActor, billId: string, amount: number) {
  const { number } = await aVirtualAccount(actor, billId)
  await aReport(t, { virtualAccountNumber: number, amount }).send()
  const { id } = await t.db
    .selectFrom('payments')
    .select('id')
    .where('virtualAccountNumber', '=', number)
    .executeTakeFirstOrThrow()
  return id
}

/** A report from the demo bank, sent over HTTP with its signature; parts may be overridden to spoil it. */
export function aReport(
  t: TestApp,
  payment: Partial<ReportedPayment> & Pick<ReportedPayment, 'virtualAccountNumber' | 'amount'>,
) {
  const { body, headers } = signedReport(
    t.services.config.secretKey,
    {
      reference: `REF-${++count}-${process.pid}`,
      paidAt: t.clock.now(),
      channel: 'mobile',
      ...payment,
    },
    t.clock.now(),
  )
  return {
    body,
    headers: headers as Record<string, string>,
    send: (changes: { body?: Buffer | string; headers?: Record<string, string> } = {}) =>
      t.app.inject({
        method: 'POST',
        url: `/api/providers/${sandboxCode}/report`,
        headers: { ...headers, ...changes.headers },
        payload: changes.body ?? body,
      }),
  }
}

/** A voucher with its discount, entered for a registration but not yet on a bill. */
export async function aVoucherUse(t: TestApp, registrationId: string) {
  const code = `PAKAI-${++count}`
  const { id: discountId } = await t.db
    .insertInto('discounts')
    .values({ code, name: code, value: 1, condition: 'voucher', appliesTo: 'registration_fee', uses: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: voucherId } = await t.db
    .insertInto('vouchers')
    .values({ discountId, code, uses: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await t.db
    .insertInto('discountUses')
    .values({ discountId, voucherId, registrationId, takenAt: t.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, code }
}

/** An approved request for a manual discount, as the desk leaves it. */
export async function anApprovedDiscount(
  t: TestApp,
  { bill, discountId, amount }: { bill: { id: string; registrationId: string }; discountId: string; amount: number },
) {
  const [asks, decides] = [await asStaff(t, 'Keuangan'), await asStaff(t, 'Keuangan')]
  const now = t.clock.now()
  const { id } = await t.db
    .insertInto('approvalRequests')
    .values({
      kind: 'discount',
      registrationId: bill.registrationId,
      billId: bill.id,
      amount,
      details: JSON.stringify({ discountId }),
      reason: 'Alasan contoh',
      status: 'approved',
      requestedBy: asks.accountId,
      requestedAt: now,
      decidedBy: decides.accountId,
      decidedAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const actor = { ...systemActor, accountId: decides.accountId }
  await recordAudit(t.db, actor, { action: 'approval.approve', on: { approval: id } })
}

/** Fails if any invariant of the books is broken. Call it at the end of every test that moves money. */
export async function assertBalanced(t: TestApp) {
  expect(await checkInvariants(t.services)).toEqual([])
}
