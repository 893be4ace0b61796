import type { Option, Question, SurveyDefinition, Words } from '#domain/surveys/definition.ts'

const words = (id: string, en: string): Words => ({ id, en })
const option = (key: string, id: string, en: string): Option => ({ key, label: words(id, en) })

const school: Question = {
  key: 'school',
  kind: 'school',
  label: words('Di mana Anda bersekolah?', 'Which school do you go to?'),
  required: true,
}
const fields: Question = {
  key: 'fields',
  kind: 'several',
  label: words('Bidang apa yang menarik bagi Anda?', 'Which fields interest you?'),
  required: true,
  options: [
    option('engineering', 'Teknik dan komputer', 'Engineering and computing'),
    option('business', 'Bisnis dan manajemen', 'Business and management'),
    option('health', 'Kesehatan', 'Health'),
    option('education', 'Pendidikan', 'Education'),
    option('arts', 'Seni dan desain', 'Arts and design'),
    option('undecided', 'Belum tahu', 'I do not know yet'),
  ],
}
const plan: Question = {
  key: 'plan',
  kind: 'choice',
  label: words('Apa rencana Anda setelah lulus?', 'What are your plans after school?'),
  required: true,
  options: [
    option('study', 'Kuliah', 'Study'),
    option('work', 'Bekerja', 'Work'),
    option('both', 'Kuliah sambil bekerja', 'Study and work'),
    option('unsure', 'Belum tahu', 'I do not know yet'),
  ],
}
const contact: Question = {
  key: 'contact',
  kind: 'contact',
  label: words('Bolehkah kami menghubungi Anda?', 'May we get in touch with you?'),
  help: words('Kosongkan bila tidak ingin dihubungi.', 'Leave it empty if you do not want to hear from us.'),
  required: false,
  consent: words(
    'Saya setuju dihubungi panitia penerimaan mahasiswa baru tentang pendaftaran. Saya dapat meminta data saya dihapus kapan saja.',
    'I agree that the admissions office contacts me about studying here. I can ask to have my data deleted at any time.',
  ),
}

export const templates = {
  visit: {
    title: words('Kunjungan ke sekolah Anda', 'Our visit to your school'),
    intro: words('Hanya dua menit. Terima kasih sudah hadir!', 'This takes two minutes. Thank you for coming!'),
    questions: [
      school,
      {
        key: 'year',
        kind: 'choice',
        label: words('Kelas berapa Anda sekarang?', 'Which class are you in?'),
        required: true,
        options: [
          option('x', 'Kelas X', 'Class X'),
          option('xi', 'Kelas XI', 'Class XI'),
          option('xii', 'Kelas XII', 'Class XII'),
          option('graduated', 'Sudah lulus', 'I have graduated'),
        ],
      },
      plan,
      { ...fields, when: { question: 'plan', is: 'one-of', values: ['study', 'both', 'unsure'] } },
      contact,
    ],
  },
  interest: {
    title: words('Minat program studi', 'Interest in our programmes'),
    intro: words('Bantu kami menyiapkan program yang Anda cari.', 'Help us offer the programmes you are looking for.'),
    questions: [
      plan,
      fields,
      {
        key: 'criteria',
        kind: 'several',
        label: words('Apa yang terpenting saat memilih kampus?', 'What matters most when you choose a university?'),
        required: true,
        options: [
          option('cost', 'Biaya kuliah', 'Tuition fees'),
          option('accreditation', 'Akreditasi', 'Accreditation'),
          option('distance', 'Jarak dari rumah', 'Distance from home'),
          option('jobs', 'Peluang kerja', 'Job prospects'),
          option('friends', 'Pilihan teman atau keluarga', 'Where friends or family go'),
        ],
      },
      {
        key: 'budget',
        kind: 'number',
        label: words(
          'Berapa biaya per semester yang terjangkau (rupiah)?',
          'What can you afford per semester (rupiah)?',
        ),
        required: false,
        number: { min: 0, max: 100_000_000 },
      },
      school,
      contact,
    ],
  },
  feedback: {
    title: words('Umpan balik open house', 'Open day feedback'),
    intro: words('Bagaimana pengalaman Anda hari ini?', 'How was your day with us?'),
    thanks: words('Terima kasih, masukan Anda kami baca semuanya.', 'Thank you. We read everything you write.'),
    questions: [
      {
        key: 'rating',
        kind: 'scale',
        label: words('Seberapa puas Anda dengan acara ini?', 'How satisfied are you with this day?'),
        required: true,
        scale: {
          from: 1,
          to: 5,
          fromLabel: words('tidak puas', 'not at all'),
          toLabel: words('sangat puas', 'very'),
        },
      },
      {
        key: 'missing',
        kind: 'text',
        label: words('Apa yang kurang?', 'What was missing?'),
        required: false,
        text: { maxLength: 1000, multiline: true },
        when: { question: 'rating', is: 'one-of', values: ['1', '2', '3'] },
      },
      {
        key: 'best',
        kind: 'text',
        label: words('Apa yang paling Anda sukai?', 'What did you like best?'),
        required: false,
        text: { maxLength: 1000, multiline: true },
      },
      {
        key: 'picture',
        kind: 'photo',
        label: words('Ada foto dari hari ini?', 'Do you have a picture of the day?'),
        help: words('Jangan kirim foto orang lain tanpa izinnya.', 'Ask people before you send pictures of them.'),
        required: false,
      },
      contact,
    ],
  },
} satisfies Record<string, SurveyDefinition>
export type Template = keyof typeof templates
