import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { computeRun } from '#server/modules/selection/runs/compute-run.ts'
import { asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { aRegistration } from '#server-test/factories/admissions.ts'
import { type Pack, packOf } from '#server-test/factories/evidence.ts'
import { type ResultsWave, resultsWave } from '#server-test/factories/selection/results-wave.ts'
import { adopted, aRun } from '#server-test/factories/selection/selections.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let wave: ResultsWave
/** A clerk who sees no decision before its publication. */
let clerk: TestActor
let decider: TestActor
/** In order of score; the programme has two places. */
let people: Awaited<ReturnType<typeof aRegistration>>[]

beforeAll(async () => {
  t = await testApp()
  wave = await resultsWave(t)
  const permissions = ['pendaftaran-view', 'berkas-mahasiswa-view', 'berkas-mahasiswa-update', 'seleksi-view']
  clerk = await asWithPermissions(t, permissions)
  decider = await asWithPermissions(t, [...permissions, 'pendaftaran-decide'])
})
afterAll(() => t?.close())
beforeEach(async () => {
  people = await wave.start([90, 80, 70, 60])
})

const packFor = (reader: TestActor, index: number) => packOf(reader, people[index]!.id)
/** Rules and outcomes of the selections in a pack, in the order of adoption. */
const runsIn = ({ files }: Pack) =>
  [...files].filter(([name]) => name.startsWith('selection/')).map(([, bytes]) => JSON.parse(bytes.toString()))
const ranksIn = (pack: Pack) => runsIn(pack).map(({ choices }) => choices[0]?.rank ?? null)
const hashesOf = async () =>
  (await t.db.selectFrom('selectionRuns').select(['inputHash', 'outputHash']).orderBy('adoptedAt').execute()).flatMap(
    ({ inputHash, outputHash }) => [inputHash!, outputHash!],
  )

describe('the selections in an evidence pack', () => {
  it('stay those already published while a later decision waits, and the pack says so', async () => {
    await wave.adopt()
    await wave.publish()
    await wave.setCapacity(3)
    await wave.adopt()
    // Accepted by the second selection, which the clerk does not see.
    const pack = await packFor(clerk, 2)
    expect(ranksIn(pack)).toEqual([3])
    expect(pack.text).toContain('A selection whose decisions are not published yet is left out')
    expect(pack.text).not.toContain('Accepted')
    expect(ranksIn(await packFor(decider, 2))).toEqual([3, 1])
    await wave.publish()
    const published = await packFor(clerk, 2)
    expect(ranksIn(published)).toEqual([3, 1])
    expect(published.text).not.toContain('left out')
  })

  it('do not reveal a later one to an applicant whose decision it left unchanged', async () => {
    await wave.adopt()
    await wave.publish()
    await wave.setCapacity(3)
    await wave.adopt()
    expect(ranksIn(await packFor(clerk, 3))).toEqual([4])
    expect(ranksIn(await packFor(decider, 3))).toEqual([4, 2])
  })

  it('stay after the decision was withdrawn', async () => {
    await wave.adopt()
    await wave.publish()
    await wave.setCapacity(3)
    await wave.adopt()
    wave.goOn()
    const reverted = await wave.staff.post(`/pendaftaran/${people[2]!.id}/revert-decision`, { reason: 'Salah nilai' })
    expect(reverted.statusCode, reverted.body).toBe(200)
    expect(ranksIn(await packFor(clerk, 2))).toEqual([3])
    expect(ranksIn(await packFor(decider, 2))).toEqual([3, 1])
  })

  it('are all of the wave, with rules and hashes, even if the applicant took no part', async () => {
    await wave.adopt()
    await wave.publish()
    await wave.setCapacity(3)
    const late = await aRegistration(t, { status: 'verified' })
    await wave.score(late.id, 95)
    people.push(late)
    await wave.adopt()
    await wave.publish()
    const pack = await packFor(clerk, 4)
    expect(ranksIn(pack)).toEqual([null, 1])
    expect(pack.text).toContain('This registration did not take part.')
    for (const hash of await hashesOf()) expect(pack.text.replaceAll(' ', '')).toContain(hash)
    for (const run of runsIn(pack))
      expect(run).toMatchObject({
        rules: { method: 'deferred_acceptance', reservePercent: 0, lotSeed: expect.any(String), holds: [] },
        counts: { applicants: expect.any(Number) },
        verifiedHash: run.outputHash,
      })
    expect(pack.text).toContain('By score: each applicant gets the earliest choice')
  })

  it('leave out applicants held by another clerk', async () => {
    const { id } = people[3]!
    const run = await aRun(t, wave.staff, wave.academic, { reservePercent: 0 })
    const body = {
      version: run.version,
      registrationId: id,
      programmeId: wave.programmeId,
      kind: 'place',
      reason: 'Kerja sama',
    }
    const held = await wave.staff.post(`/seleksi/${run.id}/holds`, body)
    expect(held.statusCode, held.body).toBe(200)
    await computeRun(t.services, run.id)
    wave.goOn()
    expect((await adopted(t, wave.staff, run.id)).status).toBe('adopted')
    await wave.publish()
    expect(runsIn(await packFor(decider, 0))[0].rules.holds).toEqual([])
    expect(runsIn(await packFor(decider, 3))[0].rules.holds).toMatchObject([
      { registrationId: id, reason: 'Kerja sama' },
    ])
  })
})

describe('the publications in an evidence pack', () => {
  it('say from when until when each decision was public', async () => {
    await wave.adopt()
    await wave.publish()
    await wave.setCapacity(3)
    await wave.adopt()
    const text = async (reader: TestActor) => (await packFor(reader, 2)).text.replace(/\s+/g, ' ')
    const [hidden, open] = [await text(clerk), await text(decider)]
    expect(hidden).toContain('Publication 1 of the results')
    expect(hidden).not.toContain('Publication 2')
    expect(hidden).not.toContain('Replaced')
    expect(open).toContain('Waiting for publication 2')
    await wave.publish()
    const published = await text(clerk)
    expect(published).toContain('Publication 2 of the results')
    expect(published).toMatch(/Replaced .+; shown until the new decision was published/)
    expect(published).not.toContain('Waiting for publication')
  })
})
