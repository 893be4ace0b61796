import { shiftDay, universityCalendar } from '#domain/calendar.ts'
import type { CallResult, StaffLeadAction } from '#domain/leads/leads.ts'
import { demoId } from '#seeds/demo/university.ts'
import { changeStage, planContact, recordCall, writeNote } from '#server/modules/leads/change-lead.ts'
import { recordLead } from '#server/modules/leads/record-lead.ts'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import type { Services } from '#server/platform/services.ts'

const dayMs = 86_400_000
const firstNames =
  'Andini Bagas Citra Dimas Elang Farah Gilang Hana Indra Jihan Kirana Lukman Melati Nanda Oktavia Putra Qonita Rangga Sekar Tirta'.split(
    ' ',
  )
const lastNames = ['Contoh', 'Percontohan', 'Teladan']
const majors = ['IPA', 'IPS', 'TKJ', 'Akuntansi', null]
const wishes = ['Kelas malam', 'Bertanya tentang beasiswa', 'Ingin melihat kampus', null, null]

type Step = StaffLeadAction | { call: CallResult } | { note: string }

/** Steps taken with each group of leads, oldest first. */
const ways: readonly (readonly Step[])[] = [
  [],
  [],
  [{ call: 'no_answer' }],
  [{ call: 'reached' }, { note: 'Masih menunggu rapor semester lima.' }],
  [{ call: 'call_again' }],
  [{ call: 'reached' }, 'interest'],
  [{ call: 'wants_link' }],
  [{ call: 'wants_link' }, 'register'],
  [{ call: 'declined' }],
  [{ call: 'no_answer' }, { call: 'no_answer' }, 'lose'],
]

const marketing: Actor = {
  ...systemActor,
  accountId: demoId('account:marketing@demo.test'),
  email: 'marketing@demo.test',
  name: 'Marketing Contoh',
  role: { id: '', name: 'Marketing' },
}

/** Adds sixty invented leads in every stage, some to be called today, and two pairs that may be the same person. */
export async function seedDemoLeads(services: Services): Promise<void> {
  const { db, clock } = services
  const schools = await db
    .selectFrom('schools')
    .select('id')
    .where('npsn', 'like', 'C00000%')
    .orderBy('npsn')
    .limit(12)
    .execute()
  const programmes = await db
    .selectFrom('studyProgrammes')
    .select('id')
    .where('active', '=', true)
    .orderBy('code')
    .limit(6)
    .execute()
  const affiliates = await db
    .selectFrom('affiliates')
    .select('id')
    .where('active', '=', true)
    .orderBy('code')
    .limit(4)
    .execute()
  const today = universityCalendar().dayOf(clock.now())
  for (let index = 0; index < 60; index++) {
    const now = new Date(clock.now().getTime() - (3 + ((index * 7) % 40)) * dayMs)
    const isPair = index >= 58
    const person = isPair ? index - 58 : index
    const { leadId: id } = await db.transaction().execute((tx) =>
      recordLead(tx, {
        name: `${firstNames[person % 20]} ${lastNames[Math.floor(person / 20)]}`,
        phone: `+6281190001${String(index).padStart(3, '0')}`,
        email: index % 3 === 0 ? `prospek${index}@demo.test` : null,
        birthDate: index % 4 === 1 ? `2008-0${1 + (index % 9)}-1${index % 10}` : null,
        schoolId: schools.at(person % 12)?.id ?? null,
        schoolName: null,
        major: majors[index % 5]!,
        programmeId: programmes.at(index % 6)?.id ?? null,
        wish: wishes[index % 5]!,
        origin: {
          kind: index % 3 === 0 ? 'staff' : 'file',
          affiliateId: index % 5 === 0 ? (affiliates.at(index % 4)?.id ?? null) : null,
          ...(index % 3 === 0 && { recordedBy: marketing.accountId }),
        },
        consent: {
          text:
            index % 3 === 0
              ? 'Meminta lewat telepon untuk dihubungi.'
              : 'Bersedia dihubungi (daftar hadir pameran contoh).',
          language: 'id',
          at: now,
        },
        now,
      }),
    )
    const past = { ...services, clock: { ...clock, now: () => new Date(now.getTime() + dayMs) } }
    for (const step of ways[index % ways.length]!) {
      if (typeof step === 'string') await changeStage(past, marketing, id, { action: step, reason: null })
      else if ('note' in step) await writeNote(past, marketing, id, step.note)
      else await recordCall(past, marketing, id, { result: step.call, nextContactOn: null, text: null })
    }
    const isCalled = index % 10 < 7 && index % 10 !== 0
    if (isCalled && index % 4 !== 0)
      await planContact(past, marketing, id, {
        ownerId: marketing.accountId,
        nextContactOn: shiftDay(today, (index % 5) - 2),
      })
  }
}
