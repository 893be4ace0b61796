import { codeField } from '#entities/define/common.ts'
import { defineEntity, nestedPermissions } from '#entities/define/entity.ts'
import { date, integer, reference } from '#entities/define/field.ts'

/** A code that grants its parent discount to the applicant who enters it. */
export const voucher = defineEntity({
  slug: 'voucher',
  table: 'vouchers',
  label: { one: { en: 'Voucher', id: 'Voucher' }, many: { en: 'Vouchers', id: 'Voucher' } },
  parent: {
    slug: 'diskon',
    field: 'discountId',
    path: 'voucher',
    pages: { create: 'create-voucher', edit: 'edit-voucher/:idDetail' },
  },
  permissions: nestedPermissions('diskon', 'voucher'),
  titleFields: ['code'],
  defaultSort: 'code',
  moduleColumns: { uses: 'integer NOT NULL' },
  fields: {
    discountId: reference({ label: { en: 'Discount', id: 'Diskon' }, to: 'diskon' }),
    code: codeField(20),
    affiliateId: reference({
      label: { en: 'Affiliate', id: 'Afiliator' },
      help: { en: 'The affiliate who hands out the voucher, if any', id: 'Pembagi voucher, bila ada' },
      to: 'afiliator',
      optional: true,
      list: true,
      filter: true,
    }),
    validTo: date({
      label: { en: 'Valid to', id: 'Berlaku sampai' },
      help: {
        en: 'Last day, until 23.59; empty: as long as the discount',
        id: 'Hari terakhir, sampai 23.59; kosong: selama diskonnya berlaku',
      },
      optional: true,
      list: true,
    }),
    maxUses: integer({
      label: { en: 'Maximum uses', id: 'Pemakaian terbanyak' },
      help: { en: 'Empty: as often as the discount allows', id: 'Kosong: sebanyak yang diizinkan diskonnya' },
      min: 1,
      max: 1_000_000,
      optional: true,
      list: true,
    }),
  },
})
