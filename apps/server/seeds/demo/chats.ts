import { createHash } from 'node:crypto'
import { demoId } from '#seeds/demo/university.ts'
import { appendHappening, appendMessage } from '#server/modules/chat/append-message.ts'
import { appendOfPerson, lockConversationOf } from '#server/modules/chat/own-chat.ts'
import type { Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

const minuteMs = 60_000

/** Lines that begin with `>` are answers, with `#` staff notes; all others are the applicant's. */
const talks: readonly {
  team: 'admissions' | 'finance'
  minutesAgo: number
  closed?: true
  lines: readonly string[]
}[] = [
  { team: 'admissions', minutesAgo: 12, lines: ['Selamat pagi, apakah rapor semester lima wajib diunggah?'] },
  {
    team: 'finance',
    minutesAgo: 25,
    lines: ['Saya sudah transfer tapi statusnya belum lunas.', 'Bukti transfernya ada, dikirim ke mana?'],
  },
  { team: 'admissions', minutesAgo: 40, lines: ['Kapan jadwal tes gelombang ini?'] },
  {
    team: 'admissions',
    minutesAgo: 90,
    lines: [
      'Ijazah saya belum keluar, boleh pakai SKL?',
      '>Boleh, SKL dapat dipakai sampai ijazah terbit.',
      'Terima kasih. Batas waktunya kapan?',
      '#Cek dulu batas penundaan berkas di jalur reguler.',
      '>Paling lambat sebelum daftar ulang.',
    ],
  },
  {
    team: 'finance',
    minutesAgo: 200,
    lines: [
      'Apakah biaya kuliah bisa dicicil?',
      '>Bisa, dua sampai empat kali. Rencana cicilan dipilih saat konfirmasi.',
      'Baik, terima kasih',
    ],
  },
  {
    team: 'admissions',
    minutesAgo: 300,
    lines: [
      'Saya salah memilih prodi kedua',
      '>Silakan ubah di halaman pilihan prodi sebelum mengirim pendaftaran.',
      'Sudah bisa, terima kasih banyak!',
    ],
    closed: true,
  },
  {
    team: 'admissions',
    minutesAgo: 1500,
    lines: ['Apakah ada kelas malam untuk Informatika?', '>Ada, lihat pilihan program kelas karyawan.'],
    closed: true,
  },
  { team: 'finance', minutesAgo: 7, lines: ['Nomor VA saya kedaluwarsa, bagaimana membuat yang baru?'] },
]

const replies: readonly [title: string, team: 'admissions' | 'finance' | null, bodyId: string, bodyEn: string][] = [
  [
    'Langkah berikutnya',
    null,
    'Halo {{name}}, langkah berikutnya untuk pendaftaran {{code}}: {{step}}.',
    'Hello {{name}}, the next step of registration {{code}} is: {{step}}.',
  ],
  [
    'Sisa tagihan',
    'finance',
    'Halo {{name}}, tagihan Anda {{amount}} jatuh tempo {{due}}. Nomor VA ada di halaman pembayaran.',
    'Hello {{name}}, your bill of {{amount}} is due on {{due}}. The VA number is on the payment page.',
  ],
  [
    'SKL',
    'admissions',
    'SKL dapat dipakai sampai ijazah terbit.',
    'A certificate of graduation is fine until the diploma is issued.',
  ],
]

const room = [
  ['panitia@demo.test', 'Selamat pagi, hari ini ada tiga pengumuman jalur prestasi.'],
  ['keuangan@demo.test', 'Rekonsiliasi kemarin sudah cocok semua.'],
  ['panitia@demo.test', 'Mantap. Tolong bantu antrean pembayaran di obrolan ya.'],
] as const

/** Conversations in different states, canned replies and a team room, all invented. */
export async function seedDemoChats({ db, clock }: Services): Promise<void> {
  const now = clock.now()
  const people = await db
    .selectFrom('accounts as a')
    .innerJoin('registrations as r', 'r.accountId', 'a.id')
    .select('a.id')
    .distinct()
    .where('a.email', 'like', 'camaba%@demo.test')
    .orderBy('a.id')
    .limit(talks.length)
    .execute()
  const clerk = demoId('account:panitia@demo.test')
  await db.transaction().execute(async (tx) => {
    for (const [index, talk] of talks.entries()) await addTalk(tx, people[index]!.id, clerk, talk, now)
    await tx
      .insertInto('cannedReplies')
      .values(
        replies.map(([title, team, bodyId, bodyEn]) => ({
          title,
          team,
          bodyId,
          bodyEn,
          createdAt: now,
          updatedAt: now,
        })),
      )
      .execute()
    const conversation = await tx
      .selectFrom('conversations')
      .selectAll()
      .where('kind', '=', 'room')
      .forUpdate()
      .executeTakeFirstOrThrow()
    for (const [index, [email, body]] of room.entries())
      await appendMessage(
        tx,
        conversation,
        { id: idOf(`room ${index}`), author: 'staff', authorId: demoId(`account:${email}`), kind: 'text', body },
        new Date(now.getTime() - (room.length - index) * 5 * minuteMs),
      )
  })
}

async function addTalk(tx: Tx, accountId: string, clerk: string, talk: (typeof talks)[number], now: Date) {
  const { team, minutesAgo, closed, lines } = talk
  const at = (line: number) => new Date(now.getTime() - (minutesAgo - line) * minuteMs)
  const conversation = await lockConversationOf(tx, accountId, at(0))
  await tx.updateTable('conversations').set({ team }).where('id', '=', conversation.id).execute()
  for (const [index, line] of lines.entries()) {
    const [id, mark] = [idOf(`${accountId} ${index}`), line[0]]
    if (mark === '>' || mark === '#') {
      const kind = mark === '#' ? 'note' : 'text'
      const message = { id, author: 'staff', authorId: clerk, kind, body: line.slice(1) } as const
      await appendMessage(tx, conversation, message, at(index))
    } else {
      const message = { id, author: 'person', authorId: accountId, kind: 'text', body: line } as const
      await appendOfPerson(tx, conversation, message, at(index))
    }
  }
  if (!closed) return
  await tx
    .updateTable('conversations')
    .set({ state: 'closed', waitingSince: null, dueAt: null })
    .where('id', '=', conversation.id)
    .execute()
  await appendHappening(tx, conversation, 'closed', { by: clerk }, at(lines.length))
}

/** Gives the same id at every start of the demo. */
const idOf = (name: string) =>
  createHash('md5')
    .update(`chat ${name}`)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
