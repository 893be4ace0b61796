import { describe, expect, test } from 'vitest'
import { virtualAccountMaximum } from '#domain/payments/virtual-account-number.ts'
import { type PaymentProvider, type RawReport, type ReportedPayment, reportOutcomes } from './provider.ts'

type Subject = {
  provider: () => PaymentProvider
  /** A genuine report as this provider's bank would send it. */
  genuine(payment: ReportedPayment): RawReport
}

const payment: ReportedPayment = {
  reference: 'CONTRACT-1',
  virtualAccountNumber: '990010000000001',
  amount: 250_000,
  paidAt: new Date('2026-11-20T03:04:05.000Z'),
  channel: null,
}

/** What every bank or gateway has to keep, whatever its protocol. */
export function keepsProviderContract(name: string, { provider, genuine }: Subject) {
  describe(`provider ${name}`, () => {
    test('has a code, banks and prefixes that cannot be mixed up', () => {
      const { code, banks } = provider()
      expect(code).toMatch(/^[a-z][a-z0-9-]{1,19}$/)
      expect(new Set(banks.map((bank) => bank.code)).size).toBe(banks.length)
      for (const bank of banks) {
        expect(bank.code.length).toBeLessThanOrEqual(20)
        expect(bank.prefix).toMatch(/^\d+$/)
        expect(bank.prefix.length).toBeLessThan(virtualAccountMaximum - 10)
        for (const other of banks) if (other !== bank) expect(other.prefix.startsWith(bank.prefix)).toBe(false)
      }
    })
    test('reads a genuine report', () => {
      const read = provider().readReport(genuine(payment))
      expect(read.kind).toBe('payment')
      if (read.kind !== 'payment') return
      const { reference, virtualAccountNumber, amount, paidAt } = read.payment
      expect({ reference, virtualAccountNumber, amount }).toEqual({
        reference: payment.reference,
        virtualAccountNumber: payment.virtualAccountNumber,
        amount: payment.amount,
      })
      expect(Math.abs(paidAt.getTime() - payment.paidAt.getTime())).toBeLessThan(1_000)
    })
    test('gives the same reference for the same payment', () => {
      const references = [genuine(payment), genuine(payment)].map((report) => {
        const read = provider().readReport(report)
        return read.kind === 'payment' && read.payment.reference
      })
      expect(references).toEqual([payment.reference, payment.reference])
    })
    test('does not believe a changed body', () => {
      const report = genuine(payment)
      const changed = Buffer.from(report.body.toString('utf8').replace('250000', '999999'))
      expect(changed.equals(report.body)).toBe(false)
      expect(provider().readReport({ ...report, body: changed }).kind).toBe('wrong_signature')
    })
    test('does not believe a report without its headers', () => {
      expect(provider().readReport({ ...genuine(payment), headers: {} }).kind).toBe('wrong_signature')
    })
    test('survives rubbish', () => {
      for (const body of ['', '{', 'null', '[]', '\u0000\u0001', '{"amount":"x"}'])
        expect(['wrong_signature', 'malformed']).toContain(
          provider().readReport({ headers: {}, body: Buffer.from(body) }).kind,
        )
    })
    test('answers so that a booked or repeated report is not sent again, and a failed one is', () => {
      const { answer } = provider()
      for (const outcome of reportOutcomes) expect(answer(outcome).status).toBeGreaterThanOrEqual(200)
      expect(answer('repeated')).toEqual(answer('booked'))
      expect(answer('booked').status).toBeLessThan(300)
      expect(answer('failed').status).toBeGreaterThanOrEqual(500)
      expect(answer('wrong_signature').status).toBe(401)
    })
    test('issues, inquires and closes a number', async () => {
      const [bank] = provider().banks
      const number = `${bank!.prefix}0000000777`
      const { reference } = await provider().issue({
        bank: bank!.code,
        number,
        amount: 250_000,
        payerName: "Sari O'Neil",
        description: 'INV-1',
        expiresAt: new Date(Date.now() + 86_400_000),
      })
      expect(await provider().inquire({ bank: bank!.code, number, reference })).toEqual([])
      await provider().close({ bank: bank!.code, number, reference }, 'cancel')
    })
  })
}
