import { defineEntity } from '#entities/define/entity.ts'
import { choice, integer, multiline, text } from '#entities/define/field.ts'

/** Questions that applicants ask on a page, with their answers. "Need help?" on that page shows the first three. */
export const helpQuestion = defineEntity({
  slug: 'pertanyaan',
  table: 'help_questions',
  label: {
    one: { en: 'Help question', id: 'Pertanyaan bantuan' },
    many: { en: 'Help questions', id: 'Pertanyaan bantuan' },
  },
  titleFields: ['question'],
  defaultSort: 'sortOrder',
  fields: {
    screen: choice({
      label: { en: 'Page', id: 'Halaman' },
      list: true,
      filter: true,
      choices: {
        account: { en: 'Confirming the e-mail address', id: 'Konfirmasi alamat email' },
        start: { en: 'Dashboard and other pages', id: 'Dasbor dan halaman lain' },
        profile: { en: 'Personal data', id: 'Data diri' },
        apply: { en: 'Registering', id: 'Mendaftar' },
        documents: { en: 'Documents', id: 'Berkas' },
        payment: { en: 'Payment', id: 'Pembayaran' },
        registration: { en: 'Registration, test and result', id: 'Pendaftaran, tes, dan hasil' },
        confirmation: { en: 'Accepting a place', id: 'Konfirmasi kesediaan' },
      },
    }),
    question: text({ label: { en: 'Question', id: 'Pertanyaan' }, max: 200, list: true }),
    answer: multiline({ label: { en: 'Answer', id: 'Jawaban' }, max: 1000 }),
    questionEn: text({
      label: { en: 'Question in English', id: 'Pertanyaan dalam bahasa Inggris' },
      max: 200,
      optional: true,
      searchable: false,
    }),
    answerEn: multiline({
      label: { en: 'Answer in English', id: 'Jawaban dalam bahasa Inggris' },
      max: 1000,
      optional: true,
    }),
    sortOrder: integer({ label: { en: 'Order', id: 'Urutan' }, min: 0, max: 1000, default: 0, list: true }),
  },
})
