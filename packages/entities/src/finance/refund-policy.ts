import { codeField, nameField } from '#entities/define/common.ts'
import { defineEntity } from '#entities/define/entity.ts'
import { basisPoints, choice, date, reference } from '#entities/define/field.ts'

/** Share of the paid amount refunded to an applicant who withdraws until `lastDay`. */
export const refundPolicy = defineEntity({
  slug: 'pengembalian-dana',
  table: 'refund_policies',
  label: {
    one: { en: 'Refund policy', id: 'Aturan pengembalian dana' },
    many: { en: 'Refund policies', id: 'Aturan pengembalian dana' },
  },
  titleFields: ['name'],
  defaultSort: 'lastDay',
  fields: {
    code: codeField(20),
    name: nameField(),
    kind: choice({
      label: { en: 'Bill', id: 'Tagihan' },
      list: true,
      filter: true,
      default: 're_registration',
      choices: {
        registration_fee: { en: 'Registration fee', id: 'Biaya pendaftaran' },
        re_registration: { en: 'Re-registration', id: 'Daftar ulang' },
      },
    }),
    waveId: reference({
      label: { en: 'Wave', id: 'Periode' },
      help: { en: 'Empty: every wave', id: 'Kosong: semua periode' },
      to: 'periode',
      optional: true,
      list: true,
      filter: true,
    }),
    lastDay: date({
      label: { en: 'Withdrawn until', id: 'Mengundurkan diri sampai' },
      help: {
        en: 'The first row whose day has not passed applies',
        id: 'Baris pertama yang harinya belum lewat yang berlaku',
      },
      list: true,
    }),
    shareBps: basisPoints({
      label: { en: 'Share refunded', id: 'Dikembalikan' },
      help: { en: 'Of the components that are refundable', id: 'Dari rincian dana yang dapat dikembalikan' },
      list: true,
    }),
  },
})
