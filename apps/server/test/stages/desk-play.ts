import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** Randomly drawn moves of clerks and applicants; the bank's moves are elsewhere. */
export const deskMoves = [
  'allocate',
  'allocate',
  'allocate',
  'askReversal',
  'askRefund',
  'enterCash',
  'askException',
  'decide',
  'decide',
  'decide',
  'decide',
  'takeBack',
  'withdraw',
  'revertWithdrawal',
  'changeProgramme',
  'enterVoucher',
  'removeVoucher',
  'requestNumber',
] as const
export type DeskMove = (typeof deskMoves)[number]

/** Whole numbers that pick the clerk, the row and the amount; a row's index is taken modulo the number of rows. */
export type Draw = { move: DeskMove; who: number; which: number; other: number; share: number; yes: boolean }

type Answer = { status: number; body: unknown }
export type Person = { send(method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<Answer> }

export type Stage = {
  db: Db
  /** Staff who may do everything with money and registrations. */
  clerks: readonly Person[]
  applicants: readonly { accountId: string; person: Person }[]
  programmeIds: readonly string[]
  classProgrammeId: string
  vouchers: readonly string[]
  now(): Date
}

export type Call = { by: Person; method: 'POST' | 'DELETE'; path: string; body?: Record<string, unknown> }

const pickRow = <T>(rows: readonly T[], index: number): T | undefined => rows[index % Math.max(rows.length, 1)]
const reason = 'Sesuai bukti yang dilihat'
const dayMs = 86_400_000

type PaymentRow = { id: string; amount: number; waiting: number; accountId: string | null }
type BillRow = { id: string; rest: number; registrationId: string }

/** Picks an amount: the total, a rupiah more, one rupiah, or a part of the total. */
const pickAmount = (total: number, share: number) =>
  Math.max([total, total, total + 1, 1, Math.round((total * share) / 1000)][share % 5]!, 1)

/**
 * Reads the books like a clerk and composes the next call; undefined if the move has no suitable row. The rows may
 * change before the call arrives.
 */
export async function composeCall(
  stage: Stage,
  { move, who, which, other, share, yes }: Draw,
): Promise<Call | undefined> {
  const { db } = stage
  const clerk = pickRow(stage.clerks, who)!
  const applicant = pickRow(stage.applicants, other)!
  const accounts = stage.applicants.map(({ accountId }) => accountId)
  const findPayment = async () => {
    const { rows } = await sql<PaymentRow>`SELECT id, amount, waiting_amount AS waiting, account_id FROM payments
      WHERE account_id = ANY(${accounts}::uuid[]) OR account_id IS NULL AND waiting_amount > 0 ORDER BY received_at, id`.execute(
      db,
    )
    return pickRow(rows, which)
  }
  const findBill = async (accountId: string) => {
    const { rows } = await sql<BillRow>`SELECT id, total - paid AS rest, registration_id FROM bills
      WHERE account_id = ${accountId} AND (status IN ('open', 'partly_paid') OR ${share % 9 === 0}) ORDER BY issued_at, id`.execute(
      db,
    )
    return pickRow(rows, other >> 4)
  }
  const findRegistration = async (statuses: string[]) => {
    const { rows } = await sql<{ id: string }>`SELECT id FROM registrations WHERE account_id = ${applicant.accountId}
      AND status = ANY(${statuses}::text[]) ORDER BY id`.execute(db)
    return pickRow(rows, which)
  }
  const findRequest = async () => {
    const { rows } = await sql<{ id: string }>`SELECT id FROM approval_requests WHERE status = 'pending'
      ORDER BY requested_at, id`.execute(db)
    return pickRow(rows, which)
  }
  const post = (path: string, body: Record<string, unknown> = {}, by = clerk): Call => ({
    by,
    method: 'POST',
    path,
    body,
  })

  switch (move) {
    case 'allocate': {
      const payment = await findPayment()
      const bill = payment && (await findBill(payment.accountId ?? applicant.accountId))
      const amount = pickAmount(Math.min(payment?.waiting || payment?.amount || 1, bill?.rest || 1), share)
      return (
        payment && bill && post(`/pembayaran-mahasiswa/${payment.id}/allocate`, { billId: bill.id, amount, reason })
      )
    }
    case 'askReversal': {
      const payment = await findPayment()
      return payment && post(`/pembayaran-mahasiswa/${payment.id}/reversal`, { reason })
    }
    case 'askRefund': {
      const payment = await findPayment()
      const account = { bank: 'Bank Contoh', accountNumber: '1234567890', accountHolder: 'Pembayar Contoh' }
      const amount = pickAmount(payment?.waiting || payment?.amount || 1, share)
      return payment && post(`/pembayaran-mahasiswa/${payment.id}/refund`, { amount, ...account, reason })
    }
    case 'enterCash': {
      const bill = await findBill(applicant.accountId)
      const paidAt = new Date(stage.now().getTime() - dayMs - which * 1_000).toISOString()
      const amount = pickAmount(bill?.rest || 1, share)
      return (
        bill &&
        post('/pembayaran-mahasiswa', { billId: bill.id, amount, method: 'cash', paidAt, payerName: `Ayah ${which}` })
      )
    }
    case 'askException': {
      const bill = await findBill(applicant.accountId)
      const dueOn = new Date(stage.now().getTime() + (20 + (which % 50)) * dayMs).toISOString().slice(0, 10)
      const exception = pickRow(
        [
          { kind: 'waiver', amount: pickAmount(bill?.rest || 1, share) },
          { kind: 'due_date', dueOn },
          { kind: 'guarantee', sponsor: 'Yayasan Contoh' },
          { kind: 'installment_plan', installmentPlanId: null },
        ],
        share,
      )!
      return bill && post(`/bills/${bill.id}/exceptions`, { ...exception, reason })
    }
    case 'decide': {
      const request = await findRequest()
      return request && post(`/persetujuan/${request.id}/decide`, { approve: yes, reason })
    }
    case 'takeBack': {
      const request = await findRequest()
      return request && post(`/persetujuan/${request.id}/withdraw`)
    }
    case 'withdraw': {
      const registration = await findRegistration(['submitted', 'paid', 'verified', 'confirmed'])
      return registration && post(`/pendaftaran/${registration.id}/withdraw`, { reason })
    }
    case 'revertWithdrawal': {
      const registration = await findRegistration(['withdrawn'])
      return registration && post(`/pendaftaran/${registration.id}/revert-withdrawal`, { reason })
    }
    case 'changeProgramme': {
      const registration = await findRegistration(['confirmed'])
      const target = { programmeId: pickRow(stage.programmeIds, share)!, classProgrammeId: stage.classProgrammeId }
      if (!registration) return undefined
      const preview = await clerk.send('POST', `/pendaftaran/${registration.id}/programme-change/preview`, target)
      const { seen } = (preview.body as { data?: { seen?: string } }).data ?? {}
      return seen === undefined
        ? undefined
        : post(`/pendaftaran/${registration.id}/programme-change`, { ...target, reason, seen })
    }
    case 'enterVoucher': {
      const registration = await findRegistration(['submitted', 'paid', 'verified', 'confirmed'])
      const code = pickRow(stage.vouchers, share)
      return registration && code
        ? post(`/pendaftaran/${registration.id}/vouchers`, { code }, applicant.person)
        : undefined
    }
    case 'removeVoucher': {
      const { rows } = await sql<{
        id: string
        registrationId: string
      }>`SELECT u.id, u.registration_id FROM discount_uses u
        JOIN registrations r ON r.id = u.registration_id WHERE r.account_id = ${applicant.accountId}
        AND u.voucher_id IS NOT NULL AND u.released_at IS NULL ORDER BY u.id`.execute(db)
      const use = pickRow(rows, which)
      if (!use) return undefined
      return { by: applicant.person, method: 'DELETE', path: `/pendaftaran/${use.registrationId}/vouchers/${use.id}` }
    }
    case 'requestNumber': {
      const bill = await findBill(applicant.accountId)
      return bill && post(`/bills/${bill.id}/virtual-account`, { bank: 'sandbox-a' }, applicant.person)
    }
  }
}
