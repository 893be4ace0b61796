import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** What people do with money, drawn at random; the bank has moves of its own. */
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

/** Whole numbers that say who, which row and how much; rows are taken modulo how many there are. */
export type Draw = { move: DeskMove; who: number; which: number; other: number; share: number; yes: boolean }

type Answer = { status: number; body: unknown }
export type Person = { send(method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<Answer> }

/** The people and rows of one game. */
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

const at = <T>(rows: readonly T[], index: number): T | undefined => rows[index % Math.max(rows.length, 1)]
const reason = 'Sesuai bukti yang dilihat'
const day = 86_400_000

type PaymentRow = { id: string; amount: number; waiting: number; accountId: string | null }
type BillRow = { id: string; rest: number; registrationId: string }

/** Sums people try: all of it, a rupiah too much, a rupiah, or any part. */
const someOf = (whole: number, share: number) =>
  Math.max([whole, whole, whole + 1, 1, Math.round((whole * share) / 1000)][share % 5]!, 1)

/**
 * Looks at the books as a person would and writes the call that person sends next; undefined when there is nothing to do.
 * What was seen may have changed when the call arrives.
 */
export async function composeCall(
  stage: Stage,
  { move, who, which, other, share, yes }: Draw,
): Promise<Call | undefined> {
  const { db } = stage
  const clerk = at(stage.clerks, who)!
  const applicant = at(stage.applicants, other)!
  const accounts = stage.applicants.map(({ accountId }) => accountId)
  const payment = async () => {
    const { rows } = await sql<PaymentRow>`SELECT id, amount, waiting_amount AS waiting, account_id FROM payments
      WHERE account_id = ANY(${accounts}::uuid[]) OR account_id IS NULL AND waiting_amount > 0 ORDER BY received_at, id`.execute(
      db,
    )
    return at(rows, which)
  }
  const bill = async (accountId: string) => {
    const { rows } = await sql<BillRow>`SELECT id, total - paid AS rest, registration_id FROM bills
      WHERE account_id = ${accountId} AND (status IN ('open', 'partly_paid') OR ${share % 9 === 0}) ORDER BY issued_at, id`.execute(
      db,
    )
    return at(rows, other >> 4)
  }
  const registration = async (statuses: string[]) => {
    const { rows } = await sql<{ id: string }>`SELECT id FROM registrations WHERE account_id = ${applicant.accountId}
      AND status = ANY(${statuses}::text[]) ORDER BY id`.execute(db)
    return at(rows, which)
  }
  const request = async () => {
    const { rows } = await sql<{ id: string }>`SELECT id FROM approval_requests WHERE status = 'pending'
      ORDER BY requested_at, id`.execute(db)
    return at(rows, which)
  }
  const post = (path: string, body: Record<string, unknown> = {}, by = clerk): Call => ({
    by,
    method: 'POST',
    path,
    body,
  })

  switch (move) {
    case 'allocate': {
      const from = await payment()
      const to = from && (await bill(from.accountId ?? applicant.accountId))
      const amount = someOf(Math.min(from?.waiting || from?.amount || 1, to?.rest || 1), share)
      return from && to && post(`/pembayaran-mahasiswa/${from.id}/allocate`, { billId: to.id, amount, reason })
    }
    case 'askReversal': {
      const taken = await payment()
      return taken && post(`/pembayaran-mahasiswa/${taken.id}/reversal`, { reason })
    }
    case 'askRefund': {
      const taken = await payment()
      const account = { bank: 'Bank Contoh', accountNumber: '1234567890', accountHolder: 'Pembayar Contoh' }
      const amount = someOf(taken?.waiting || taken?.amount || 1, share)
      return taken && post(`/pembayaran-mahasiswa/${taken.id}/refund`, { amount, ...account, reason })
    }
    case 'enterCash': {
      const to = await bill(applicant.accountId)
      const paidAt = new Date(stage.now().getTime() - day - which * 1_000).toISOString()
      const amount = someOf(to?.rest || 1, share)
      return (
        to &&
        post('/pembayaran-mahasiswa', { billId: to.id, amount, method: 'cash', paidAt, payerName: `Ayah ${which}` })
      )
    }
    case 'askException': {
      const about = await bill(applicant.accountId)
      const dueOn = new Date(stage.now().getTime() + (20 + (which % 50)) * day).toISOString().slice(0, 10)
      const wish = at(
        [
          { kind: 'waiver', amount: someOf(about?.rest || 1, share) },
          { kind: 'due_date', dueOn },
          { kind: 'guarantee', sponsor: 'Yayasan Contoh' },
          { kind: 'installment_plan', installmentPlanId: null },
        ],
        share,
      )!
      return about && post(`/bills/${about.id}/exceptions`, { ...wish, reason })
    }
    case 'decide': {
      const asked = await request()
      return asked && post(`/persetujuan/${asked.id}/decide`, { approve: yes, reason })
    }
    case 'takeBack': {
      const asked = await request()
      return asked && post(`/persetujuan/${asked.id}/withdraw`)
    }
    case 'withdraw': {
      const given = await registration(['submitted', 'paid', 'verified', 'confirmed'])
      return given && post(`/pendaftaran/${given.id}/withdraw`, { reason })
    }
    case 'revertWithdrawal': {
      const given = await registration(['withdrawn'])
      return given && post(`/pendaftaran/${given.id}/revert-withdrawal`, { reason })
    }
    case 'changeProgramme': {
      const moved = await registration(['confirmed'])
      const target = { programmeId: at(stage.programmeIds, share)!, classProgrammeId: stage.classProgrammeId }
      if (!moved) return undefined
      const preview = await clerk.send('POST', `/pendaftaran/${moved.id}/programme-change/preview`, target)
      const { seen } = (preview.body as { data?: { seen?: string } }).data ?? {}
      return seen === undefined
        ? undefined
        : post(`/pendaftaran/${moved.id}/programme-change`, { ...target, reason, seen })
    }
    case 'enterVoucher': {
      const given = await registration(['submitted', 'paid', 'verified', 'confirmed'])
      const code = at(stage.vouchers, share)
      return given && code ? post(`/pendaftaran/${given.id}/vouchers`, { code }, applicant.person) : undefined
    }
    case 'removeVoucher': {
      const { rows } = await sql<{
        id: string
        registrationId: string
      }>`SELECT u.id, u.registration_id FROM discount_uses u
        JOIN registrations r ON r.id = u.registration_id WHERE r.account_id = ${applicant.accountId}
        AND u.voucher_id IS NOT NULL AND u.released_at IS NULL ORDER BY u.id`.execute(db)
      const use = at(rows, which)
      if (!use) return undefined
      return { by: applicant.person, method: 'DELETE', path: `/pendaftaran/${use.registrationId}/vouchers/${use.id}` }
    }
    case 'requestNumber': {
      const owed = await bill(applicant.accountId)
      return owed && post(`/bills/${owed.id}/virtual-account`, { bank: 'sandbox-a' }, applicant.person)
    }
  }
}
