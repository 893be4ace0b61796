import { sql } from 'kysely'
import type { SentResponse } from '#domain/surveys/public-endpoints.ts'
import { demoId } from '#seeds/demo/university.ts'
import { takeResponses } from '#server/modules/surveys/take-responses.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { openDayDraft, plansAfterSchool } from './definitions.ts'

const responseCount = 200
const dayMs = 86_400_000
const schoolCount = 3

const plans = ['kuliah', 'kuliah', 'kuliah', 'kuliah_kerja', 'kuliah_kerja', 'belum', 'kerja']
const fields = ['teknik', 'teknik', 'teknik', 'ekonomi', 'ekonomi', 'kesehatan', 'kesehatan', 'pendidikan', 'hukum']
const wishes = [
  'Biaya yang terjangkau',
  'Dekat dari rumah',
  'Akreditasi program studi',
  'Ada beasiswa',
  'Dosennya ramah',
  'Kelas malam supaya bisa bekerja',
  'Peluang kerja setelah lulus',
]

/** Adds a survey with 200 invented answers from three schools, and a draft. */
export async function seedDemoSurveys(services: Services): Promise<void> {
  const { db, clock, log } = services
  const now = clock.now()
  const surveyId = demoId('survey:plans')
  const by = { createdBy: demoId('account:marketing@demo.test') }
  const publishedAt = new Date(now.getTime() - 12 * dayMs)
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('surveys')
      .values([
        {
          ...by,
          id: surveyId,
          name: 'Rencana setelah lulus',
          status: 'open',
          draft: JSON.stringify(plansAfterSchool),
          published: 1,
          createdAt: publishedAt,
          updatedAt: publishedAt,
        },
        {
          ...by,
          id: demoId('survey:open-day'),
          name: 'Kesan kampus terbuka',
          status: 'draft',
          draft: JSON.stringify(openDayDraft),
          published: null,
          createdAt: now,
          updatedAt: now,
        },
      ])
      .execute()
    await tx
      .insertInto('surveyVersions')
      .values({
        surveyId,
        number: 1,
        definition: JSON.stringify(plansAfterSchool),
        publishedAt,
        publishedBy: by.createdBy,
      })
      .execute()
    await addLinks(tx, surveyId, publishedAt, by)
  })
  for (let school = 0; school < schoolCount; school++) {
    const responses = Array.from({ length: responseCount }, (_, index) => index)
      .filter((index) => index % schoolCount === school)
      .map((index) => aResponse(index, now))
    await takeResponses(services, slugOf(school), { sentAt: now.toISOString(), responses }, log)
  }
}

const slugOf = (school: number) => `rencana-sekolah-${school + 1}`

async function addLinks(db: Db, surveyId: string, createdAt: Date, by: { createdBy: string }) {
  const { rows: schools } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM schools WHERE active ORDER BY npsn LIMIT ${schoolCount}`.execute(db)
  const shared = { surveyId, createdAt, ...by }
  await db
    .insertInto('surveyLinks')
    .values([
      { ...shared, name: 'Untuk semua', slug: 'rencana-setelah-lulus', schoolId: null, budget: null },
      ...schools.map(({ id, name }, index) => ({
        ...shared,
        name,
        slug: slugOf(index),
        schoolId: id,
        budget: index === 0 ? 150 : null,
      })),
    ])
    .execute()
}

/** A number below `count`, always the same for the same text. */
const drawn = (words: string, count: number) => Number.parseInt(demoId(words).slice(0, 8), 16) % count

/** The invented response with a number: the same at every start, spread over the last ten days. */
function aResponse(index: number, now: Date): SentResponse {
  const draw = (what: string, count: number) => drawn(`${what} ${index}`, count)
  const pick = <T>(what: string, list: readonly T[]) => list[draw(what, list.length)]!
  const rencana = pick('plan', plans)
  // More schools are visited on some days than on others.
  const daysAgo = Math.min(draw('day', 10), draw('other day', 10)) + 0.1
  const finishedAt = new Date(now.getTime() - daysAgo * dayMs - draw('minute', 240) * 60_000)
  const first = pick('field', fields)
  const second = pick('other field', fields)
  return {
    id: demoId(`survey-response:${index}`),
    version: 1,
    language: draw('language', 9) === 0 ? 'en' : 'id',
    startedAt: new Date(finishedAt.getTime() - (70 + draw('seconds', 120)) * 1000).toISOString(),
    finishedAt: finishedAt.toISOString(),
    answers: {
      rencana,
      ...(rencana !== 'kerja' && { bidang: first === second ? [first] : [first, second] }),
      yakin: Math.min(5, 1 + draw('sure', 4) + (rencana === 'kuliah' ? draw('surer', 3) : 0)),
      ...(draw('has marks', 4) > 0 && { nilai: 68 + draw('marks', 16) + draw('more marks', 15) }),
      ...(draw('has wish', 3) === 0 && { harapan: pick('wish', wishes) }),
      ...(index % 10 === 0 && {
        kontak: {
          name: `Siswa Contoh ${index / 10 + 1}`,
          phone: `0812000077${String(index / 10).padStart(2, '0')}`,
          consent: true,
        },
      }),
    },
  }
}
