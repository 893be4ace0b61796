import { acceptanceCode, type LetterAudience } from '#domain/letters/letter-texts.ts'
import type { Db } from '#server/platform/database/database.ts'
import { markSeeded } from './seed.ts'

type StartingKind = {
  code: string
  nameEn: string
  nameId: string
  audience: LetterAudience
  selfService?: boolean
  titleEn: string
  titleId: string
  bodyEn: string
  bodyId: string
  numberTemplate: string
  validDays: number | null
}

const kinds: readonly StartingKind[] = [
  {
    code: acceptanceCode,
    nameEn: 'Letter of acceptance',
    nameId: 'Surat keterangan diterima',
    audience: 'accepted',
    titleEn: 'Letter of acceptance',
    titleId: 'Surat Keterangan Diterima',
    bodyEn: `{{university}} hereby declares that the applicant named below has passed the selection and is accepted.

Name : {{name}}
Registration : {{code}}
Study programme : {{programme}}
Class : {{class}}
Track : {{track}}
Wave : {{wave}} {{academicYear}}

{{confirmation}}`,
    bodyId: `{{university}} dengan ini menyatakan bahwa pendaftar berikut lulus seleksi dan diterima.

Nama : {{name}}
Pendaftaran : {{code}}
Program studi : {{programme}}
Kelas : {{class}}
Jalur : {{track}}
Gelombang : {{wave}} {{academicYear}}

{{confirmation}}`,
    numberTemplate: '{SEQ:4}/PMB/SKD/{month}/{YYYY}',
    validDays: null,
  },
  {
    code: 'registration',
    nameEn: 'Statement of registration',
    nameId: 'Surat keterangan pendaftaran',
    audience: 'registered',
    selfService: true,
    titleEn: 'Statement of registration',
    titleId: 'Surat Keterangan Pendaftaran',
    bodyEn: `The admission office of {{university}} declares that the applicant named below is registered.

Name : {{name}}
Place and date of birth : {{birth}}
Registration : {{code}}
First choice : {{choice}}
Track : {{track}}
Wave : {{wave}} {{academicYear}}

This statement says nothing about the result of the selection.`,
    bodyId: `Panitia penerimaan mahasiswa baru {{university}} menerangkan bahwa pendaftar berikut terdaftar.

Nama : {{name}}
Tempat dan tanggal lahir : {{birth}}
Pendaftaran : {{code}}
Pilihan pertama : {{choice}}
Jalur : {{track}}
Gelombang : {{wave}} {{academicYear}}

Surat ini tidak menyatakan apa pun tentang hasil seleksi.`,
    numberTemplate: '{SEQ:4}/PMB/SKP/{month}/{YYYY}',
    validDays: 180,
  },
  {
    code: 'invitation',
    nameEn: 'Invitation to the test',
    nameId: 'Undangan tes',
    audience: 'registered',
    titleEn: 'Invitation to the test',
    titleId: 'Undangan Tes Masuk',
    bodyEn: `Dear {{name}}, {{university}} invites you to the admission test.

Registration : {{code}}
Test : {{session}}
Time : {{testDate}}
Place : {{testPlace}}

Please bring your registration card and an identity card.`,
    bodyId: `Kepada Yth. {{name}}, {{university}} mengundang Anda mengikuti tes masuk.

Pendaftaran : {{code}}
Tes : {{session}}
Waktu : {{testDate}}
Tempat : {{testPlace}}

Mohon membawa kartu pendaftaran dan kartu identitas.`,
    numberTemplate: '{SEQ:4}/PMB/UND/{month}/{YYYY}',
    validDays: null,
  },
  {
    code: 'payment',
    nameEn: 'Statement of payment',
    nameId: 'Surat keterangan pembayaran',
    audience: 'registered',
    selfService: true,
    titleEn: 'Statement of payment',
    titleId: 'Surat Keterangan Pembayaran',
    bodyEn: `{{university}} declares that {{paid}} has been received for the registration below until {{date}}.

Name : {{name}}
Registration : {{code}}
Wave : {{wave}} {{academicYear}}`,
    bodyId: `{{university}} menerangkan bahwa sampai {{date}} telah diterima {{paid}} untuk pendaftaran berikut.

Nama : {{name}}
Pendaftaran : {{code}}
Gelombang : {{wave}} {{academicYear}}`,
    numberTemplate: '{SEQ:4}/PMB/SKB/{month}/{YYYY}',
    validDays: null,
  },
]

/** Adds the built-in kinds of letters. */
export const seedLetters = (db: Db): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const markOf = (code: string) => `letter kind ${code}`
    const newMarks = await markSeeded(
      tx,
      kinds.map(({ code }) => markOf(code)),
    )
    for (const { code, nameEn, nameId, audience, selfService = false, ...text } of kinds) {
      if (!newMarks.has(markOf(code))) continue
      const now = new Date()
      const kind = await tx
        .insertInto('letterKinds')
        .values({ code, nameEn, nameId, audience, selfService, createdAt: now, updatedAt: now })
        .onConflict((conflict) => conflict.column('code').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (kind)
        await tx
          .insertInto('letterTemplates')
          .values({ ...text, letterKindId: kind.id, version: 1, createdAt: now })
          .execute()
    }
  })
