import crypto from 'node:crypto'
import type { Question, SurveyDefinition } from '#domain/surveys/definition.ts'
import type { Survey } from '#domain/surveys/endpoints.ts'
import type { SentResponse } from '#domain/surveys/public-endpoints.ts'
import type { TestActor } from '#server-test/actors.ts'
import type { TestApp } from '#server-test/test-app.ts'

const words = (text: string) => ({ id: text, en: `${text} (en)` })
const option = (key: string) => ({ key, label: words(key) })

/** A question of every kind; only the first is required. */
export const everyKind: SurveyDefinition = {
  title: words('Minat studi'),
  questions: [
    {
      key: 'plan',
      kind: 'choice',
      label: words('Rencana'),
      required: true,
      options: [option('study'), option('work'), option('unsure')],
    },
    {
      key: 'fields',
      kind: 'several',
      label: words('Bidang'),
      required: false,
      options: [option('health'), option('law'), option('engineering')],
      when: { question: 'plan', is: 'one-of', values: ['study', 'unsure'] },
    },
    { key: 'sure', kind: 'scale', label: words('Keyakinan'), required: false, scale: { from: 1, to: 5 } },
    { key: 'siblings', kind: 'number', label: words('Saudara'), required: false, number: { min: 0, max: 20 } },
    { key: 'visit', kind: 'date', label: words('Kunjungan'), required: false },
    { key: 'why', kind: 'text', label: words('Alasan'), required: false, text: { maxLength: 200, multiline: true } },
    { key: 'school', kind: 'school', label: words('Sekolah'), required: false },
    {
      key: 'contact',
      kind: 'contact',
      label: words('Kontak'),
      required: false,
      consent: words('Saya bersedia dihubungi kampus.'),
    },
    { key: 'selfie', kind: 'photo', label: words('Foto'), required: false },
  ] satisfies Question[],
}

type Options = { draft?: SurveyDefinition; link?: Record<string, unknown> }

/** A published survey with a link; `link` has columns of the link's table. */
export async function anOpenSurvey(t: TestApp, staff: TestActor, { draft = everyKind, link = {} }: Options = {}) {
  const draftRow: Survey = (await staff.post('/marketing/data-survey-siswa', { name: 'Minat studi', draft })).json()
    .data
  const survey: Survey = (
    await staff.post(`/marketing/data-survey-siswa/${draftRow.id}/publish`, { version: draftRow.version })
  ).json().data
  const { id: linkId, slug } = await t.db
    .updateTable('surveyLinks')
    .set({ name: 'Semua', ...link } as never)
    .where('surveyId', '=', survey.id)
    .returning(['id', 'slug'])
    .executeTakeFirstOrThrow()
  return { survey, linkId, slug, path: `/marketing/data-survey-siswa/${survey.id}` }
}

/** A response as a device sends it. */
export const aResponse = (
  t: TestApp,
  answers: SentResponse['answers'] = { plan: 'study' },
  more = {},
): SentResponse => ({
  id: crypto.randomUUID(),
  version: 1,
  language: 'id',
  startedAt: new Date(t.clock.now().getTime() - 90_000).toISOString(),
  finishedAt: t.clock.now().toISOString(),
  answers,
  ...more,
})

/** Sends responses like the public page, without an account. */
export const sendResponses = async (t: TestApp, slug: string, responses: readonly unknown[], sentAt = t.clock.now()) =>
  t.app.inject({
    method: 'POST',
    url: `/api/survei/${slug}/responses`,
    payload: { sentAt: sentAt.toISOString(), responses: [...responses] },
  })
