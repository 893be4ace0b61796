import { universityCalendar } from '#domain/calendar.ts'
import type { EventInput } from '#domain/events/endpoints.ts'
import { recordCheckIns } from '#server/modules/events/door/record-check-ins.ts'
import { createEvent, stepEvent } from '#server/modules/events/save-event.ts'
import { takePlace } from '#server/modules/events/visitors/places.ts'
import { addVisitor, consentText } from '#server/modules/events/visitors/register-visitor.ts'
import { type Actor, systemActor } from '#server/platform/access/authorization.ts'
import type { Services } from '#server/platform/services.ts'
import { demoId } from './university.ts'

const dayMs = 86_400_000

const at = (services: Services, moment: Date): Services => ({
  ...services,
  clock: { ...services.clock, now: () => moment },
})

const marketing: Actor = {
  ...systemActor,
  accountId: demoId('account:marketing@demo.test'),
  email: 'marketing@demo.test',
  name: 'Marketing Contoh',
  permissions: new Set(['event-afiliator-update']),
}

type DemoEvent = Pick<
  EventInput,
  'kind' | 'nameId' | 'nameEn' | 'descriptionId' | 'descriptionEn' | 'slug' | 'place'
> & {
  /** Days from today; negative values are in the past. */
  inDays: number
  times: readonly (readonly [startTime: string, endTime: string])[]
  capacity: number
  invited: number
  costs: EventInput['costs']
  visitors: number
  /** Number of visitors who came. */
  attended: number
}

const demoEvents: readonly DemoEvent[] = [
  {
    kind: 'school_visit',
    nameId: 'Kunjungan Percontohan ke SMA',
    nameEn: 'Sample school visit',
    descriptionId: 'Mahasiswa kami bercerita tentang kuliah, biaya, dan beasiswa.',
    descriptionEn: 'Our students tell about studying, fees and scholarships.',
    slug: 'kunjungan-percontohan',
    place: 'Aula SMA Percontohan 1',
    inDays: -14,
    times: [['09:00', '11:00']],
    capacity: 120,
    invited: 180,
    costs: [
      { label: 'Transport', planned: 600_000, actual: 550_000 },
      { label: 'Brosur', planned: 900_000, actual: 940_000 },
      { label: 'Konsumsi', planned: 500_000, actual: 480_000 },
    ],
    visitors: 34,
    attended: 27,
  },
  {
    kind: 'open_day',
    nameId: 'Open House Peraga',
    nameEn: 'Sample open day',
    descriptionId: 'Lihat laboratorium, temui dosen, dan tanyakan apa saja.',
    descriptionEn: 'See the laboratories, meet the lecturers and ask anything.',
    slug: 'open-house-peraga',
    place: 'Kampus Utama, Jl. Contoh 1',
    inDays: 0,
    times: [
      ['00:10', '12:00'],
      ['13:00', '23:50'],
    ],
    capacity: 60,
    invited: 400,
    costs: [{ label: 'Konsumsi', planned: 2_000_000, actual: null }],
    visitors: 16,
    attended: 6,
  },
  {
    kind: 'try_out',
    nameId: 'Try-out UTBK Rekaan',
    nameEn: 'Sample try-out',
    descriptionId: 'Kerjakan soal seperti pada ujian sebenarnya dan lihat hasilnya hari itu juga.',
    descriptionEn: 'Work on questions like those of the real exam and see the result on the same day.',
    slug: 'tryout-rekaan',
    place: 'Gedung B, lantai 2',
    inDays: 12,
    times: [
      ['08:00', '10:30'],
      ['13:00', '15:30'],
    ],
    capacity: 40,
    invited: 250,
    costs: [{ label: 'Cetak soal', planned: 750_000, actual: null }],
    visitors: 9,
    attended: 0,
  },
]

const firstNames = 'Adi Bela Citra Dimas Eka Fajar Gita Hana Indra Jihan Kirana Lutfi Mega Nanda Oki Putri Raka'.split(
  ' ',
)
const lastNames = ['Contoh', 'Peraga', 'Rekaan', 'Percontohan']
const codes = ['CONTOH26', 'GURU-A', null, 'SARI26', null]

/** Adds invented events: a past one with check-ins and costs, one today and a future one. */
export async function seedDemoEvents(services: Services): Promise<void> {
  const today = services.clock.now()
  for (const [index, event] of demoEvents.entries()) await addEvent(services, today, event, index * 100)
}

async function addEvent(services: Services, today: Date, event: DemoEvent, firstNumber: number) {
  const { dayOf } = universityCalendar()
  const dayAfter = (days: number) => dayOf(new Date(today.getTime() + days * dayMs))
  const { inDays, times, capacity, visitors, attended, ...facts } = event
  const announcedAt = new Date(today.getTime() + (Math.min(inDays, 0) - 10) * dayMs)
  const then = at(services, announcedAt)
  const affiliates = await services.db
    .selectFrom('affiliates')
    .select(['id', 'code'])
    .where('code', 'in', ['CONTOH26', 'GURU-A', 'SARI26'])
    .execute()
  const { id } = await createEvent(then, marketing, {
    ...facts,
    link: '',
    schoolId: null,
    ownerId: marketing.accountId,
    public: true,
    opensOn: dayOf(announcedAt),
    closesOn: dayAfter(inDays),
    sessions: times.map(([startTime, endTime], number) => ({
      id: null,
      name: times.length > 1 ? `Sesi ${number + 1}` : '',
      date: dayAfter(inDays),
      startTime,
      endTime,
      room: '',
      capacity,
    })),
    affiliateIds: affiliates.map((affiliate) => affiliate.id),
  })
  await stepEvent(then, marketing, id, 'publish')
  const sessions = await services.db
    .selectFrom('eventSessions')
    .select(['id', 'startsAt'])
    .where('eventId', '=', id)
    .orderBy('startsAt')
    .execute()
  const first = sessions[0]!
  // Some visitors of the past event have registered since, and are found by their phone number.
  const applicants =
    inDays < 0
      ? await services.db
          .selectFrom('accounts')
          .select(['name', 'phone'])
          .where('email', 'like', 'camaba%@demo.test')
          .where('phone', 'is not', null)
          .orderBy('email')
          .limit(12)
          .execute()
      : []
  const numbers = Array.from({ length: visitors }, (_, index) => firstNumber + index)
  await services.db.transaction().execute(async (tx) => {
    const consent = await consentText(tx, 'id')
    for (const number of numbers) {
      const session = sessions[number % sessions.length]!
      const visitorId = demoId(`event-visitor:${number}`)
      await addVisitor(tx, {
        id: visitorId,
        event: { id, schoolId: null },
        sessionId: session.id,
        name:
          applicants[number - firstNumber]?.name ??
          `${firstNames[number % firstNames.length]} ${lastNames[number % lastNames.length]}`,
        phone: applicants[number - firstNumber]?.phone ?? `+6281377${String(100_000 + number)}`,
        email: null,
        school: `SMA Percontohan ${(number % 4) + 1}`,
        grade: number % 3 === 0 ? 'XI' : 'XII',
        wish: number % 5 === 0 ? 'Beasiswa dan biaya kuliah' : '',
        language: 'id',
        consentText: consent,
        affiliateId: affiliates.find(({ code }) => code === codes[number % codes.length])?.id ?? null,
        now: new Date(announcedAt.getTime() + (number - firstNumber) * 3_600_000),
      })
      if (await takePlace(tx, session.id))
        await tx.updateTable('eventVisitors').set({ state: 'registered' }).where('id', '=', visitorId).execute()
    }
  })
  const came = numbers.filter((number) => number % sessions.length === firstNumber % sessions.length).slice(0, attended)
  if (came.length === 0) return
  const scannedAt = new Date(Math.min(first.startsAt.getTime() + 10 * 60_000, today.getTime()))
  await recordCheckIns(at(services, scannedAt), marketing, id, {
    sessionId: first.id,
    device: { id: demoId('device:door'), name: 'HP pintu A' },
    sentAt: scannedAt.toISOString(),
    scans: came.map((number) => ({
      id: demoId(`event-scan:${number}`),
      kind: 'arrive',
      at: scannedAt.toISOString(),
      visitorId: demoId(`event-visitor:${number}`),
    })),
  })
  if (inDays < 0) await stepEvent(at(services, scannedAt), marketing, id, 'close')
}
