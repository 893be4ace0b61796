import { sql } from 'kysely'
import { shiftDay, universityCalendar } from '#domain/calendar.ts'
import { theOnly } from '#domain/must.ts'
import type { BillException } from '#domain/payments/bills/exceptions/endpoints.ts'
import { actorOf, at, hourMs } from '#seeds/demo/actors.ts'
import { addPage } from '#seeds/demo/pictures.ts'
import { demoId } from '#seeds/demo/university.ts'
import { approvalHandlers } from '#server/modules/payments/approval-kinds.ts'
import { decideApproval } from '#server/modules/payments/approvals/decide-approval.ts'
import { askException } from '#server/modules/payments/bills/exceptions/bill-exceptions.ts'
import { bookPayment } from '#server/modules/payments/money/book-payment.ts'
import { enterPayment } from '#server/modules/payments/money/enter/manual-payment.ts'
import { askRefund } from '#server/modules/payments/money/give-back/refunds.ts'
import { askReversal } from '#server/modules/payments/money/give-back/reversal.ts'
import { askHeldAmount } from '#server/modules/payments/money/waiting/held-amount.ts'
import { allocatePayment } from '#server/modules/payments/money/waiting/waiting-money.ts'
import { createProvider } from '#server/modules/payments/providers/settings/save-provider.ts'
import { createBankAccount } from '#server/modules/payments/reconciliation/bank-accounts.ts'
import { askRecordLine } from '#server/modules/payments/reconciliation/lines/record-line.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'

const finance = actorOf('Keuangan')
const provider = { code: 'sandbox', maximumAmount: 100_000_000 } as const

/** Adds requests of every kind that wait for a second person, and money that waits for an owner or a decision. */
export async function seedDemoMoney(services: Services): Promise<void> {
  await askAboutBills(services)
  await askAboutPayments(services)
  await addWaitingMoney(services)
  await askAboutAccounts(services)
  await sendProofs(services)
}

/** Proofs of transfers that do not appear: one that waits for the finance office, and one that it refused. */
async function sendProofs(services: Services) {
  const { db, files, clock } = services
  const billAt = await owedBills(services, 're_registration', 8)
  const now = clock.now()
  const refusal = { state: 'refused' as const, reason: 'Nomor rekening tujuan bukan milik universitas.' }
  for (const [index, answer] of [null, refusal].entries()) {
    const { id: billId, rest, accountId } = billAt(6 + index)
    const fileId = demoId(`transfer-proof:${billId}`)
    await addPage(db, files, `Bukti transfer ${index + 1}`, {
      id: fileId,
      ownerAccountId: accountId,
      purpose: 'transfer-proof',
      name: 'bukti.jpg',
    })
    await db
      .insertInto('transferProofs')
      .values({
        billId,
        fileId,
        amount: rest,
        paidAt: new Date(now.getTime() - 30 * hourMs),
        fromBank: 'Bank Contoh',
        sentBy: accountId,
        sentAt: new Date(now.getTime() - (20 - 8 * index) * hourMs),
        ...(answer && { ...answer, answeredBy: finance.accountId, answeredAt: new Date(now.getTime() - 4 * hourMs) }),
      })
      .execute()
  }
}

/** The administrator with the role's id, whose limits bound what may be approved. */
async function administratorOf({ db }: Services) {
  const { role, ...actor } = actorOf('Administrator')
  const { id } = await db.selectFrom('roles').select('id').where('name', '=', role.name).executeTakeFirstOrThrow()
  return { ...actor, role: { ...role, id } }
}

/** Owed bills of the current season, newest registrations first. */
async function owedBills({ db }: Services, kind: string, count: number) {
  const { rows } = await sql<{
    id: string
    rest: number
    registrationId: string
    accountId: string
    installmentId: string | null
  }>`
    SELECT b.id, b.total - b.paid AS rest, b.registration_id, b.account_id,
      (SELECT i.id FROM installments i WHERE i.bill_id = b.id AND i.paid = 0 ORDER BY i.position LIMIT 1) AS installment_id
    FROM bills b JOIN registrations r ON r.id = b.registration_id JOIN waves w ON w.id = r.wave_id AND w.code IN ('G1', 'G2')
    WHERE b.kind = ${kind} AND b.status IN ('open', 'partly_paid') AND r.closed_from IS NULL AND b.total - b.paid > 250000
      AND r.selection_run_id IS NULL
    ORDER BY b.number DESC LIMIT ${count}`.execute(db)
  const billAt = (index: number) => {
    const bill = rows[index]
    if (!bill) throw new Error(`The demo has only ${rows.length} owed bills of the kind ${kind}`)
    return bill
  }
  return billAt
}

async function askAboutBills(services: Services) {
  const { db, clock } = services
  const billAt = await owedBills(services, 're_registration', 8)
  const today = universityCalendar().dayOf(clock.now())
  const [plan, discount] = await Promise.all([
    db.selectFrom('installmentPlans').select('id').where('code', '=', 'CICIL6').executeTakeFirstOrThrow(),
    db
      .selectFrom('discounts')
      .select('id')
      .where('code', 'like', 'PRESTASI%')
      .where('validFrom', '<=', today)
      .orderBy('validFrom', 'desc')
      .executeTakeFirstOrThrow(),
  ])
  const exceptions: readonly BillException[] = [
    { kind: 'waiver', amount: 500_000, reason: 'Orang tua terkena PHK, surat terlampir di loket' },
    { kind: 'discount', discountId: discount.id, reason: 'Juara dua olimpiade matematika provinsi' },
    {
      kind: 'guarantee',
      sponsor: 'Yayasan Beasiswa Contoh',
      letter: '017/YBC/2026',
      reason: 'Surat jaminan sponsor diterima',
    },
    {
      kind: 'due_date',
      installmentId: billAt(3).installmentId!,
      dueOn: shiftDay(today, 45),
      reason: 'Menunggu pencairan beasiswa',
    },
    { kind: 'installment_plan', installmentPlanId: plan.id, reason: 'Meminta cicilan enam kali' },
    { kind: 'promise', payBy: shiftDay(today, 10), reason: 'Berjanji melunasi setelah gajian' },
  ]
  const administrator = await administratorOf(services)
  for (const [index, exception] of exceptions.entries())
    await askException(
      at(services, new Date(clock.now().getTime() - (index + 2) * 3 * hourMs)),
      // Nobody approves their own request, so each of the two accounts gets some from the other.
      index % 2 === 0 ? administrator : finance,
      billAt(index).id,
      exception,
    )
}

async function askAboutPayments(services: Services) {
  const { db, clock } = services
  const now = clock.now()
  const administrator = await administratorOf(services)
  const billAt = await owedBills(services, 'registration_fee', 3)
  const hour = (hours: number) => new Date(now.getTime() - hours * hourMs)
  const entry = ({ id, rest }: { id: string; rest: number }) =>
    ({
      billId: id,
      amount: rest,
      method: 'cash',
      paidAt: hour(5).toISOString(),
      payerName: 'Wali calon mahasiswa',
    }) as const
  await enterPayment(at(services, hour(4)), finance, { ...entry(billAt(0)), reason: 'Dibayar tunai di loket' })
  const { id } = await enterPayment(at(services, hour(4)), finance, {
    ...entry(billAt(1)),
    reason: 'Dibayar tunai di loket',
  })
  await decideApproval(at(services, hour(3)), approvalHandlers, administrator, id, { approve: true })
  const rejected = await enterPayment(at(services, hour(4)), finance, {
    ...entry(billAt(2)),
    reason: 'Uang titipan kakak',
  })
  await decideApproval(at(services, hour(2)), approvalHandlers, administrator, rejected.id, {
    approve: false,
    reason: 'Kuitansi loket belum ada.',
  })
  const { rows } = await sql<{ id: string; amount: number }>`
    SELECT p.id, p.amount FROM payments p JOIN bills b ON b.id = p.bill_id JOIN registrations r ON r.id = b.registration_id
      JOIN waves w ON w.id = r.wave_id AND w.code = 'G1'
    WHERE b.kind = 're_registration' AND p.status = 'allocated' AND p.refunded_amount = 0 AND p.waiting_amount = 0
      AND r.status = 'enrolled' ORDER BY p.paid_at DESC, p.id LIMIT 1`.execute(db)
  await askReversal(at(services, hour(6)), finance, theOnly(rows).id, 'Bank menyatakan dana tidak jadi masuk')
}

async function addWaitingMoney(services: Services) {
  const { db, clock } = services
  const { rows } = await sql<{ number: string; amount: number }>`
    SELECT v.number, v.amount FROM virtual_accounts v JOIN bills b ON b.id = v.bill_id AND b.status = 'paid'
    JOIN registrations r ON r.id = b.registration_id JOIN waves w ON w.id = r.wave_id AND w.code = 'G1'
    WHERE v.status = 'paid' AND v.amount > 0 AND v.closed_at < ${clock.now()}::timestamptz - interval '5 days' ORDER BY v.created_at DESC, v.id LIMIT 4`.execute(
    db,
  )
  const book = (reference: string, number: string, amount: number, hours: number) => {
    const then = new Date(clock.now().getTime() - hours * hourMs)
    const payment = { reference, virtualAccountNumber: number, amount, paidAt: then, channel: 'mobile' }
    return inTransaction(at(services, then), systemActor, (context) =>
      bookPayment(context, provider, payment, { bankReportId: null }),
    )
  }
  // Paid twice, paid to an unissued number, and above the amount one person may book.
  for (const [index, { number, amount }] of rows.slice(0, 3).entries())
    await book(`DEMO-AGAIN-${index}`, number, amount, 20 + 9 * index)
  for (const [index, amount] of [275_000, 1_500_000].entries())
    await book(`DEMO-NOBODY-${index}`, `880019999999999${index}`, amount, 30 + 20 * index)
  // Dismissed, because the check of the books would list an undecided one.
  await book('DEMO-HELD', rows[3]!.number, 150_000_000, 30)
  const held = await db
    .selectFrom('paymentAlerts')
    .select('id')
    .where('kind', '=', 'above_maximum')
    .executeTakeFirstOrThrow()
  const { id } = await askHeldAmount(services, finance, held.id, {
    decision: 'dismiss',
    reason: 'Bank mengonfirmasi salah ketik',
  })
  await decideApproval(services, approvalHandlers, await administratorOf(services), id, { approve: true })
  const nobody = await db
    .selectFrom('payments')
    .select('id')
    .where('providerReference', '=', 'DEMO-NOBODY-0')
    .executeTakeFirstOrThrow()
  const again = await db
    .selectFrom('payments')
    .select(['id', 'waitingAmount'])
    .where('providerReference', '=', 'DEMO-AGAIN-0')
    .executeTakeFirstOrThrow()
  await askRefund(services, finance, again.id, {
    amount: again.waitingAmount,
    ...{ bank: 'Bank Contoh', accountNumber: '990012345678', accountHolder: 'Wali calon mahasiswa' },
    reason: 'Terbayar dua kali, minta dikembalikan',
  })
  const bill = (await owedBills(services, 'registration_fee', 4))(3)
  await allocatePayment(services, finance, nobody.id, {
    ...{ billId: bill.id, amount: Math.min(275_000, bill.rest) },
    reason: 'Nama pengirim sama dengan wali',
  })
}

async function askAboutAccounts(services: Services) {
  const { db } = services
  const line = await db
    .selectFrom('statementLines')
    .select('id')
    .where('description', 'like', '%SETORAN TUNAI%')
    .executeTakeFirst()
  if (line) await askRecordLine(services, finance, line.id, { payerName: 'Penyetor tanpa nama' })
  await createBankAccount(services, finance, {
    ...{
      name: 'Rekening biaya kuliah',
      bank: 'Bank Contoh',
      number: '7700099001',
      holder: 'Universitas Contoh Nusantara',
    },
    ...{ takesTransfers: false, sources: ['sandbox-b'], reason: 'Dipisah dari rekening pendaftaran' },
  })
  const connection = { active: false, baseUrl: '', snap: null, banks: [], secrets: {} }
  const { approvalId } = await createProvider(services, finance, {
    ...{
      ...connection,
      code: 'midtrans',
      kind: 'midtrans',
      name: 'Midtrans (contoh)',
      reason: 'Persiapan menerima QRIS',
    },
  })
  await decideApproval(services, approvalHandlers, await administratorOf(services), approvalId, { approve: true })
  await createProvider(services, finance, {
    ...{
      ...connection,
      code: 'xendit',
      kind: 'xendit',
      name: 'Xendit (contoh)',
      reason: 'Cadangan bila Midtrans terganggu',
    },
  })
}
