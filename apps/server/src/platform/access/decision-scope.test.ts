import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { permissions } from '#domain/access/permissions.ts'
import { listRegistrations } from '#domain/admissions/lists.ts'
import { listAudit } from '#domain/audit/lists.ts'
import { listBills } from '#domain/payments/bills/lists.ts'
import { writeCell } from '#domain/reports/report.ts'
import { decideMany } from '#server/modules/admissions/results/decide-many.ts'
import { reports } from '#server/modules/reports/index.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { academicOf, aRegistration, publish } from '#server-test/factories/admissions.ts'
import { days, now, step } from '#server-test/factories/registrations/registration-steps.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { isWhole, sampleOf, seed } from '#testing/form.ts'

/**
 * Calls every endpoint that could reveal a decision before its publication. The daily form checks every decision on all
 * lists, filters and pages, and spreads the reports over the decisions, with a seeded choice of group, cell and row
 * list. The whole form checks all reports for every decision.
 */
let t: TestApp
let academic: AcademicFixture
let decider: TestActor
/** Has all permissions except deciding and publishing. */
let reader: TestActor
/**
 * The same permissions, each limited to one study programme: the first choice, and the programme of some acceptances.
 */
let limitedReaders: TestActor[]
let applicant: TestActor
let unpublished: { id: string; code: string }
let publicRegistration: { id: string; code: string }

beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  academic = await academicOf(t)
  decider = await asStaff(t)
  const slugs = permissions
    .map(({ slug }) => slug)
    .filter((slug) => slug !== 'pendaftaran-decide' && slug !== 'pendaftaran-publish')
  reader = await asWithPermissions(t, slugs)
  limitedReaders = await Promise.all(
    academic.programmes.slice(0, 2).map((programme) => asWithPermissions(t, slugs, { programmeIds: [programme] })),
  )
  publicRegistration = await aRegistration(t, { trackId: academic.tracks.achievement, status: 'decided' })
  await publish(t, academic.tracks.achievement)
  await publish(t, academic.tracks.regular, days(7))
})
afterAll(() => t?.close())
afterEach(() => t.clock.set(now))

const allYears = 'year=all'
const lists = {
  'the list': '/pendaftaran',
  'the bills': '/bills',
  'the audit log': `/settings/audit?subjectType=registration`,
}
const filters = [
  ...['status=paid', 'status=verified', 'status=decided'],
  ...['result=accepted', 'result=not_accepted', 'result=waiting', 'result=undecided'],
  ...['queue=decision', 'queue=documents', 'queue=confirmation', 'queue=current'],
  ...['sort=name', 'sort=-code', 'q=Calon', 'status=verified&sort=name'],
]
const columnsOf = (list: { columns: object }) => Object.keys(list.columns).join(',')

/** Named endpoints that could reveal a decision. */
function ways(): Way[] {
  const { id, code } = unpublished
  const [first, second] = academic.programmes
  const page = `/pendaftaran/${id}`
  return [
    ...Object.entries(lists),
    ...filters.map((filter): [string, string] => [`the filter ${filter}`, `/pendaftaran?${filter}`]),
    ...[first, second].flatMap((programme): [string, string][] => [
      ['the filter by programme', `/pendaftaran?programmeId=${programme}`],
      ['the bills of a programme', `/bills?programmeId=${programme}`],
    ]),
    ['the search', `/search?q=${code}`],
    ['the candidates of a change', `/pindah-prodi/candidates?q=${code}`],
    ['the dashboard', '/dashboard'],
    ...['', '/timeline', '/notes', '/files', '/bills', '/statement', '/test-sessions', '/test-scores'].map(
      (rest): [string, string] => [`the page ${rest}`, `${page}${rest}`],
    ),
    ['the price of the re-registration', `${page}/re-registration/quote`],
    ['the history of the registration', `/settings/audit?subjectId=${id}`],
    ['the exported list', `/pendaftaran/export?format=csv&columns=${columnsOf(listRegistrations)}`],
    ['the exported filter', '/pendaftaran/export?format=csv&result=accepted'],
    ['the exported bills', `/bills/export?format=csv&columns=${columnsOf(listBills)}`],
    ['the exported log', `/settings/audit/export?format=csv&subjectType=registration&columns=${columnsOf(listAudit)}`],
    ...reports.flatMap(({ slug, measures, groups, shape, by }): [string, string][] => [
      [`${slug}`, `/reports/${slug}/figures?${allYears}`],
      ...groups.map((group): [string, string] => {
        const groupsOfReport = shape === 'pivot' ? `${group},${by.find((name) => name !== group)}` : group
        return [`${slug} by ${group}`, `/reports/${slug}/figures?${allYears}&by=${groupsOfReport}`]
      }),
      ...Object.keys(measures).flatMap((figure): [string, string][] => [
        // Other shapes return all figures at once.
        ...(shape === 'pivot'
          ? [
              [`the cell ${slug} ${figure}`, `/reports/${slug}/figures?${allYears}&figure=${figure}`] as [
                string,
                string,
              ],
            ]
          : []),
        [`the rows of ${slug} ${figure}`, `/reports/${slug}/rows?${allYears}&figure=${figure}&cell=${writeCell({})}`],
      ]),
      [`the exported ${slug}`, `/reports/${slug}/export?format=csv&${allYears}`],
      [
        `the exported rows of ${slug}`,
        `/reports/${slug}/rows/export?format=csv&${allYears}&figure=${Object.keys(measures).find((name) => name === 'accepted') ?? Object.keys(measures)[0]}&cell=${writeCell({})}`,
      ],
    ]),
  ]
}

type Way = [name: string, url: string]

/** The endpoints for one of `hands` readers, between whom the reports are divided. */
function waysOf(hand: number, hands: number): Way[] {
  if (isWhole) return ways()
  const byReport = Map.groupBy(ways(), ([, url]) => /^\/reports\/([\w-]+)/.exec(url)?.[1] ?? '')
  return [...byReport].flatMap(([slug, waysOfReport], index) => {
    if (slug === '') return waysOfReport
    if ((index + seed) % hands !== hand) return []
    const byKind = Map.groupBy(waysOfReport, ([name]) => / by |^the (cell|exported rows|exported|rows)/.exec(name)?.[0])
    return [...byKind].flatMap(([kind, some]) => sampleOf(`${slug} ${kind}`, some, 1))
  })
}

async function answersTo(actor: TestActor, questions: readonly Way[]) {
  const answers: Record<string, { status: number; body: string }> = {}
  for (const [name, url] of questions) {
    const { statusCode, body } = await actor.get(url)
    answers[`${name}: ${url}`] = { status: statusCode, body: body.replace(/"request_id":"[^"]*"/g, '') }
  }
  return answers
}

/** Decides in bulk, after the achievement track was published. */
async function inBulk(id: string, body: object) {
  const answer = await decider.post('/pendaftaran/bulk', { ids: [id], ...body })
  expect(answer.json().data.done, answer.body).toBe(1)
  return answer
}

/** Replaces a public refusal, as a selection does. */
async function acceptInstead(id: string) {
  const { id: runId } = await t.db
    .insertInto('selectionRuns')
    .values({ waveId: academic.wave, name: 'Susulan', rules: '{}', createdAt: t.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const decision = { id, programmeId: academic.programmes[1], reason: null }
  await inTransaction(t.services, systemActor, async (context) => {
    for (const action of ['revertDecision', 'accept'] as const)
      await decideMany(context, action, [{ ...decision, action }], runId)
  })
  return { statusCode: 200 }
}

type Before = 'paid' | 'verified' | 'refused'
type TrackName = keyof AcademicFixture['tracks']
const decisions: [string, Before, (id: string) => Promise<{ statusCode: number }>, TrackName?][] = [
  ['an acceptance', 'verified', (id) => step(decider, id, 'accept', { programmeId: academic.programmes[0] })],
  [
    'an acceptance for the second choice',
    'verified',
    (id) => step(decider, id, 'accept', { programmeId: academic.programmes[1] }),
  ],
  ['a refusal', 'verified', (id) => step(decider, id, 'reject', { reason: 'Nilai belum cukup' })],
  ['a refusal before the verification', 'paid', (id) => step(decider, id, 'reject', { reason: 'Berkas palsu' })],
  [
    'a refusal before the verification that was taken back',
    'paid',
    async (id) => {
      await step(decider, id, 'reject', { reason: 'Berkas palsu' })
      return step(decider, id, 'revert-decision', { reason: 'Salah pilih' })
    },
  ],
  [
    'an acceptance taken back and made again',
    'verified',
    async (id) => {
      await step(decider, id, 'accept', { programmeId: academic.programmes[1] })
      await step(decider, id, 'revert-decision', { reason: 'Salah pilih' })
      return step(decider, id, 'accept', { programmeId: academic.programmes[1] })
    },
  ],
  [
    'a later acceptance in bulk',
    'verified',
    (id) => inBulk(id, { action: 'accept', programmeId: academic.programmes[1], consent: true }),
    'achievement',
  ],
  ['a later refusal in bulk', 'paid', (id) => inBulk(id, { action: 'reject', reason: 'Berkas palsu' }), 'achievement'],
  ['a later acceptance in place of a public refusal', 'refused', acceptInstead, 'achievement'],
  [
    'a later acceptance in place of a public refusal, taken back again',
    'refused',
    async (id) => {
      await acceptInstead(id)
      return step(decider, id, 'revert-decision', { reason: 'Salah pilih' })
    },
    'achievement',
  ],
]

describe.each(decisions)('%s that is not published', (decision, before, decide, track = 'regular') => {
  beforeEach(async () => {
    applicant = await asApplicant(t, { profile: true })
    unpublished = await aRegistration(t, {
      ...(before === 'refused' ? { status: 'decided', decision: 'not_accepted' } : { status: before }),
      // The achievement track allows one choice.
      choices: track === 'achievement' ? [academic.programmes[0]] : [...academic.programmes],
      trackId: academic.tracks[track],
      applicant,
    })
  })

  it('changes no answer to staff who do not decide, nor to the applicant', async () => {
    const hand = decisions.findIndex(([name]) => name === decision)
    const questions = waysOf(hand, decisions.length)
    const earlier = await answersTo(reader, questions)
    const ownPage = await applicant.get(`/pendaftaran/${unpublished.id}`)
    const exported = async () => {
      const { statusCode, json } = await applicant.get('/account/export')
      expect(statusCode).toBe(200)
      return json().registrations
    }
    const ownExport = await exported()
    const refused = Object.keys(earlier).filter((name) => earlier[name]!.status !== 200 && !name.includes('quote'))
    expect(refused).toEqual([])
    expect((await decide(unpublished.id)).statusCode).toBe(200)

    const after = await answersTo(reader, questions)
    for (const [name, answer] of Object.entries(earlier)) expect(after[name], name).toEqual(answer)
    expect((await applicant.get(`/pendaftaran/${unpublished.id}`)).json()).toEqual(ownPage.json())
    expect(await exported()).toEqual(ownExport)
  })

  it('cannot be confirmed, and gets the same refusal as an undecided registration', async () => {
    const undecided = await step(reader, unpublished.id, 'confirm', { installmentPlanId: null })
    expect(
      (await applicant.post(`/pendaftaran/${unpublished.id}/confirm`, { installmentPlanId: null })).statusCode,
    ).toBe(409)
    await decide(unpublished.id)
    expect(
      (await applicant.post(`/pendaftaran/${unpublished.id}/confirm`, { installmentPlanId: null })).statusCode,
    ).toBe(409)
    const decided = await step(reader, unpublished.id, 'confirm', { installmentPlanId: null })
    expect([decided.statusCode, decided.json().message]).toEqual([409, undecided.json().message])
  })
})

/** One of each kind: hundreds of requests by two readers take long. */
const decisionsForLimited = [
  'an acceptance for the second choice',
  'a refusal',
  'an acceptance taken back and made again',
]

it.each(decisionsForLimited.map((decisionName) => decisions.find(([name]) => name === decisionName)!))(
  '%s that is not published changes no answer to staff limited to the first choice or to another programme',
  async (decision, status, decide) => {
    applicant = await asApplicant(t, { profile: true })
    unpublished = await aRegistration(t, { status: status as 'verified', choices: [...academic.programmes], applicant })
    const questions = waysOf(decisionsForLimited.indexOf(decision), decisionsForLimited.length)
    const before = await Promise.all(limitedReaders.map((limitedReader) => answersTo(limitedReader, questions)))
    const pages = limitedReaders.map((_, n) => before[n]![`the page : /pendaftaran/${unpublished.id}`]!.status)
    expect(pages).toEqual([200, 404])
    await decide(unpublished.id)
    for (const [n, limitedReader] of limitedReaders.entries()) {
      const after = await answersTo(limitedReader, questions)
      for (const [name, answer] of Object.entries(before[n]!)) expect(after[name], name).toEqual(answer)
    }
  },
)

it('an acceptance changes the answers to deciding staff, which proves that these endpoints could reveal it', async () => {
  applicant = await asApplicant(t, { profile: true })
  unpublished = await aRegistration(t, { status: 'verified', choices: [...academic.programmes], applicant })
  const telling = [
    ...['the list', 'the filter result=accepted', 'the filter by programme', 'the search', 'the dashboard'],
    ...['the page ', 'the page /timeline', 'the exported list', 'the bills of a programme', 'the audit log'],
    ...['the cell jumlah-pendaftaran accepted', 'the rows of jumlah-pendaftaran accepted', 'camaba by stage'],
    ...['the exported rows of jumlah-pendaftaran', 'the exported pendaftaran-prodi'],
  ]
  const questions = ways().filter(([name]) => isWhole || telling.includes(name))
  const before = await answersTo(decider, questions)
  await step(decider, unpublished.id, 'accept', { programmeId: academic.programmes[1] })
  const after = await answersTo(decider, questions)
  const changed = new Set(
    Object.keys(before)
      .filter((name) => after[name]!.body !== before[name]!.body)
      .map((name) => name.split(': ')[0]),
  )
  for (const name of telling) expect(changed, name).toContain(name)
})

it('is not revealed by reverting the withdrawal of a registration', async () => {
  const { id } = await aRegistration(t, { status: 'verified' })
  await step(decider, id, 'accept', { programmeId: academic.programmes[0] })
  expect((await step(decider, id, 'withdraw', { reason: 'Pindah kota' })).statusCode).toBe(200)
  expect((await step(decider, id, 'revert-withdrawal', { reason: 'Salah tekan' })).statusCode).toBe(200)
  for (const url of [`/settings/audit?subjectId=${id}`, `/pendaftaran/${id}/timeline`])
    expect((await reader.get(url)).body, url).not.toContain('decided')
})

it('moves the registration to staff limited to the accepted programme when it is published', async () => {
  const { id } = await aRegistration(t, { status: 'verified', choices: [...academic.programmes] })
  const statuses = async () =>
    (await Promise.all(limitedReaders.map((one) => one.get(`/pendaftaran/${id}`)))).map(({ statusCode }) => statusCode)
  await step(decider, id, 'accept', { programmeId: academic.programmes[1] })
  expect(await statuses()).toEqual([200, 404])
  await publish(t, academic.tracks.regular)
  expect(await statuses()).toEqual([404, 200])
  await publish(t, academic.tracks.regular, days(7))
})

describe('a published decision', () => {
  const read = async (url: string) => (await reader.get(url)).json().data

  it('is visible to all staff', async () => {
    const { id, code } = publicRegistration
    expect(await read(`/pendaftaran/${id}`)).toMatchObject({ status: 'decided', decision: { decision: 'accepted' } })
    const codes = (await read('/pendaftaran?result=accepted')).map((row: { code: string }) => row.code)
    expect(codes).toEqual([code])
    const rows = await read(`/reports/jumlah-pendaftaran/rows?${allYears}&figure=accepted&cell=${writeCell({})}`)
    expect(rows.map(({ cells }: { cells: { code: string } }) => cells.code)).toEqual([code])
    const steps = (await read(`/pendaftaran/${id}/timeline`)).map(({ name }: { name: string }) => name)
    expect(steps).toContain('registration.accept')
  })

  it('counts in a report from its publication on, and the report says so', async () => {
    const counting = async (actor: TestActor) => (await actor.get('/reports/jumlah-pendaftaran')).json().data.counting
    expect(await counting(reader)).not.toBe(await counting(decider))
    expect((await counting(reader)).startsWith(await counting(decider))).toBe(true)
  })
})
