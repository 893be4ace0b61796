import type { admissionYear as en } from '../en/admission-year.ts'

export const admissionYear = {
  daysAfterBill_one: '{{count}} hari setelah tagihan',
  daysAfterBill_other: '{{count}} hari setelah tagihan',
} satisfies Record<keyof typeof en, unknown>
