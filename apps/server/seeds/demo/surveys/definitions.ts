import type { Question, SurveyDefinition } from '#domain/surveys/definition.ts'

const option = (key: string, id: string, en: string) => ({ key, label: { id, en } })

const plan: Question = {
  key: 'rencana',
  kind: 'choice',
  label: { id: 'Apa rencana Anda setelah lulus?', en: 'What do you plan after school?' },
  required: true,
  options: [
    option('kuliah', 'Kuliah', 'Study'),
    option('kerja', 'Bekerja', 'Work'),
    option('kuliah_kerja', 'Kuliah sambil bekerja', 'Study and work'),
    option('belum', 'Belum tahu', 'Not sure yet'),
  ],
}

const studies = { question: 'rencana', is: 'one-of', values: ['kuliah', 'kuliah_kerja', 'belum'] } as const
const whenStudies = { ...studies, values: [...studies.values] }

/** Plans of pupils in their last school year. */
export const plansAfterSchool: SurveyDefinition = {
  title: { id: 'Rencana setelah lulus', en: 'Plans after school' },
  intro: {
    id: 'Enam pertanyaan, sekitar dua menit. Jawaban Anda membantu kampus memperbaiki layanan.',
    en: 'Six questions, about two minutes. Your answers help the university improve.',
  },
  thanks: { id: 'Terima kasih! Sampai jumpa di kampus.', en: 'Thank you! See you on campus.' },
  questions: [
    plan,
    {
      key: 'bidang',
      kind: 'several',
      label: { id: 'Bidang apa yang Anda minati?', en: 'Which fields interest you?' },
      required: true,
      options: [
        option('teknik', 'Teknik dan komputer', 'Engineering and computing'),
        option('ekonomi', 'Ekonomi dan bisnis', 'Economics and business'),
        option('kesehatan', 'Kesehatan', 'Health'),
        option('pendidikan', 'Pendidikan', 'Education'),
        option('hukum', 'Hukum dan sosial', 'Law and society'),
      ],
      when: whenStudies,
    },
    {
      key: 'yakin',
      kind: 'scale',
      label: { id: 'Seberapa yakin Anda dengan rencana Anda?', en: 'How sure are you of your plan?' },
      required: true,
      scale: {
        from: 1,
        to: 5,
        fromLabel: { id: 'Belum yakin', en: 'Not sure' },
        toLabel: { id: 'Sangat yakin', en: 'Very sure' },
      },
    },
    {
      key: 'nilai',
      kind: 'number',
      label: { id: 'Berapa rata-rata nilai rapor Anda?', en: 'The average of your school report?' },
      required: false,
      number: { min: 0, max: 100 },
    },
    {
      key: 'harapan',
      kind: 'text',
      label: {
        id: 'Apa yang paling penting saat memilih kampus?',
        en: 'What matters most when you choose a university?',
      },
      required: false,
      text: { maxLength: 500, multiline: true },
    },
    {
      key: 'kontak',
      kind: 'contact',
      label: { id: 'Bolehkah kami menghubungi Anda?', en: 'May we contact you?' },
      required: false,
      consent: {
        id: 'Saya bersedia dihubungi Universitas Contoh tentang pendaftaran. Data saya dihapus bila saya minta.',
        en: 'The example university may contact me about admission. My data is deleted when I ask for it.',
      },
    },
  ],
}

/** A draft that still lacks its English text. */
export const openDayDraft: SurveyDefinition = {
  title: { id: 'Kesan setelah open house', en: '' },
  questions: [
    { ...plan, required: false },
    {
      key: 'kesan',
      kind: 'text',
      label: { id: 'Apa kesan Anda hari ini?', en: '' },
      required: false,
      text: { maxLength: 500, multiline: true },
    },
    { key: 'foto', kind: 'photo', label: { id: 'Foto favorit Anda hari ini', en: '' }, required: false },
  ],
}
