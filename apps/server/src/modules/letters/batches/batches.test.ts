import { spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { batchStallsAfterMs } from '#domain/letters/batch-endpoints.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration } from '#server-test/factories/admissions.ts'
import { now, step } from '#server-test/factories/registrations/registration-steps.ts'
import { pastTriggers, type TestApp, testApp } from '#server-test/test-app.ts'
import { isWhole } from '#testing/form.ts'
import { letterBatchJob } from './letter-batch.job.ts'
import { registerChunk } from './register-chunk.ts'

let t: TestApp
let clerk: TestActor
let other: TestActor

beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  clerk = await asWithPermissions(t, ['surat-view', 'surat-create', 'surat-update'])
  other = await asWithPermissions(t, ['surat-view', 'surat-create'])
})
afterAll(() => t?.close())

const content = {
  nameEn: 'Statement',
  nameId: 'Keterangan',
  audience: 'registered',
  active: true,
  selfService: false,
  titleEn: 'Statement',
  titleId: 'Keterangan',
  bodyEn: 'About {{name}}',
  bodyId: 'Tentang {{name}}',
  signatoryName: '',
  signatoryTitle: '',
  validDays: null,
}

let kinds = 0
/** Creates a separate kind, so that batches of other tests do not share its numbers. */
async function aKind(change: object = {}) {
  const code = `massal-${++kinds}`
  const answer = await clerk.post('/surat', { code, ...content, numberTemplate: `M${kinds}-{SEQ:5}/{YYYY}`, ...change })
  return answer.json().data as { id: string; version: number }
}

const request = (kindId: string, change: object = {}) => ({
  kindId,
  language: 'id',
  waveId: null,
  programmeId: null,
  trackId: null,
  stage: null,
  ...change,
})
const start = (kindId: string, change: object = {}, actor = clerk) =>
  actor.post('/surat/massal', request(kindId, change))
const read = async (id: string) => (await clerk.get(`/surat/massal/${id}`)).json().data
const run = (batchId: string) => letterBatchJob.run(t.services, { batchId })
const lettersOf = (kindId: string) =>
  t.db.selectFrom('letters').selectAll().where('letterKindId', '=', kindId).orderBy('sequence').execute()

/** Copies a submitted registration with its applicant until the track has `count` of them. */
async function aCrowd(count: number) {
  const { id, trackId, applicant } = await aRegistration(t, { status: 'submitted' })
  await pastTriggers(
    t,
    sql`WITH people AS (
        INSERT INTO accounts (name, email, role_id, language)
        SELECT 'Peserta ' || n, 'peserta' || n || '-' || left(${id}::text, 8) || '@example.com', a.role_id,
          CASE n % 2 WHEN 0 THEN 'en' ELSE 'id' END
        FROM accounts a, generate_series(1, ${count - 1}::int) n WHERE a.id = ${applicant.accountId}
        RETURNING id, name
      ), persons AS (
        INSERT INTO applicants (account_id, full_name) SELECT id, name FROM people RETURNING id, account_id, full_name
      )
      INSERT INTO registrations (code, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id,
        programme_id, status, submitted_at, search_text)
      SELECT 'C' || left(r.id::text, 4) || substr(p.full_name, 9), p.id, p.account_id, r.wave_id, r.track_id,
        r.entry_level_id, r.class_programme_id, r.programme_id, 'submitted', r.submitted_at, ''
      FROM persons p, registrations r WHERE r.id = ${id}`,
  )
  return { id, trackId, applicant }
}

/** Expires all submitted registrations, so that a batch without a filter finds only those created next. */
const clear = () => pastTriggers(t, sql`UPDATE registrations SET status = 'expired' WHERE status = 'submitted'`)

describe('a batch of letters', () => {
  it('issues one letter to everybody who matches, with numbers in order, in printable files', async () => {
    await clear()
    await aCrowd(1_101)
    const { id: kindId } = await aKind()
    const { people, letters: toGive, sample } = (await clerk.post('/surat/massal/preview', request(kindId))).json().data
    expect(people).toBe(1_101)
    expect(toGive).toBeNull()
    expect(sample.body).toBe(`Tentang ${sample.name}`)
    const { id, chunks } = (await start(kindId)).json().data
    expect(chunks.map((chunk: { people: number }) => chunk.people)).toEqual([500, 500, 101])
    await run(id)
    const batch = await read(id)
    expect(batch).toMatchObject({ status: 'done', total: 1_101, finished: 1_101, refused: 0, stalled: false })
    const letters = await lettersOf(kindId)
    expect(letters).toHaveLength(1_101)
    expect(letters.map(({ sequence }) => Number(sequence))).toEqual(letters.map((_, index) => index + 1))
    expect(batch.chunks[0]).toMatchObject({ letters: 500, first: letters[0]!.number, last: letters[499]!.number })
    const file = await clerk.get(`/surat/massal/${id}/chunks/3/file.pdf`)
    expect(file.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    expect(file.rawPayload.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(101)
    expect((await clerk.get(`/surat/massal/${id}/chunks/4/file.pdf`)).statusCode).toBe(404)
    expect((await clerk.get('/surat/massal?status=done&q=keterangan&sort=-total')).json().data[0].id).toBe(id)
  })

  it('killed repeatedly issues one letter per person and uses every number once', { timeout: 240_000 }, async () => {
    await clear()
    const [people, kills] = isWhole ? [1_600, 5] : [700, 2]
    await aCrowd(people)
    const { id: kindId } = await aKind({ numberTemplate: 'K{SEQ:5}/{YYYY}' })
    const { id } = (await start(kindId)).json().data
    const script = path.join(import.meta.dirname, '../../../../test/print-letters.ts')
    const folder = path.join(t.services.config.dataDir, 'files')
    let unfinished = 0
    for (let kill = 0; kill < kills; kill++) {
      const child = spawn(process.execPath, [script, t.connectionString, folder, id], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = new Promise((resolve) => child.once('exit', resolve))
      await new Promise((resolve) => child.stdout.once('data', resolve))
      // The first comes at once, so that at least one finds the batch unfinished on any machine.
      if (kill > 0) await wait(Math.random() * 1_200)
      child.kill('SIGKILL')
      await ended
      const { chunks } = await read(id)
      if (chunks.some((chunk: { printed: boolean }) => !chunk.printed)) unfinished++
    }
    expect(unfinished).toBeGreaterThan(0)
    await run(id)
    const batch = await read(id)
    expect(batch).toMatchObject({ status: 'done', finished: people, refused: 0 })
    const letters = await lettersOf(kindId)
    expect(letters).toHaveLength(people)
    expect(new Set(letters.map(({ registrationId }) => registrationId)).size).toBe(people)
    expect(letters.at(-1)!.sequence).toBe(people)
    const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count FROM letter_batch_chunks c
      JOIN files f ON f.id = c.file_id AND f.deleted_at IS NULL WHERE c.batch_id = ${id}`.execute(t.db)
    expect(rows[0]!.count).toBe(Math.ceil(people / 500))
  })

  it('shows beforehand how many people get no letter', async () => {
    await clear()
    await aCrowd(3)
    const { id: kindId } = await aKind({ bodyEn: 'Number {{npm}}', bodyId: 'Nomor {{npm}}' })
    const preview = (await clerk.post('/surat/massal/preview', request(kindId))).json().data
    expect(preview).toMatchObject({ people: 3, letters: 0 })
    const { id: forAll } = await aKind()
    const all = (await clerk.post('/surat/massal/preview', request(forAll))).json().data
    expect(all).toMatchObject({ people: 3, letters: 3 })
  })

  it('does not print a letter withdrawn meanwhile', async () => {
    await clear()
    await aCrowd(3)
    const { id: kindId } = await aKind()
    const { id } = (await start(kindId)).json().data
    await run(id)
    const pagesOf = async () => {
      const file = await clerk.get(`/surat/massal/${id}/chunks/1/file.pdf`)
      return file.rawPayload.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? file.json().code
    }
    expect(await pagesOf()).toBe(3)
    const letters = await lettersOf(kindId)
    const withdrawn = (letter: { id: string }) =>
      clerk.post(`/surat/terbit/${letter.id}/withdraw`, { reason: 'Keliru diberikan' })
    expect((await withdrawn(letters[0]!)).statusCode).toBe(200)
    expect(await pagesOf()).toBe(2)
    expect((await read(id)).chunks[0]).toMatchObject({ letters: 3, ended: 1 })
    const register = (await clerk.get(`/surat/terbit?batch=${id}`)).json().data
    expect(register.map(({ state }: { state: string }) => state).sort()).toEqual(['valid', 'valid', 'withdrawn'])
    expect((await clerk.get('/surat/terbit?batch=keliru')).json().data).toEqual([])
    await Promise.all([withdrawn(letters[1]!), withdrawn(letters[2]!)])
    expect(await pagesOf()).toBe('letter_not_valid')
  })

  it('started by two clerks at once runs once', async () => {
    await clear()
    await aCrowd(5)
    const { id: kindId } = await aKind()
    const answers = await Promise.all([
      start(kindId),
      start(kindId, {}, other),
      start(kindId),
      start(kindId, {}, other),
    ])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409])
    expect(answers.find(({ statusCode }) => statusCode === 409)!.json()).toMatchObject({ code: 'letter_batch_running' })
    await run(answers.find(({ statusCode }) => statusCode === 200)!.json().data.id)
    expect(await lettersOf(kindId)).toHaveLength(5)
  })

  it('processed by three workers at once registers and prints every chunk once', async () => {
    await clear()
    await aCrowd(700)
    const { id: kindId } = await aKind()
    const { id } = (await start(kindId)).json().data
    await Promise.all([run(id), run(id), run(id)])
    expect(await read(id)).toMatchObject({ status: 'done', finished: 700 })
    const letters = await lettersOf(kindId)
    expect(letters).toHaveLength(700)
    expect(letters.at(-1)!.sequence).toBe(700)
  })

  it('running while a clerk issues a letter to one of its people takes one number for that person', async () => {
    await clear()
    const { id: registrationId } = await aCrowd(40)
    const { id: kindId } = await aKind()
    const { id } = (await start(kindId)).json().data
    await Promise.all([
      run(id),
      ...[1, 2, 3].map(() => clerk.post(`/pendaftaran/${registrationId}/surat`, { kindId, language: 'id' })),
    ])
    expect(await lettersOf(kindId)).toHaveLength(40)
  })

  it('prints valid, unchanged letters again and replaces changed ones', async () => {
    await clear()
    const { applicant } = await aCrowd(3)
    const { id: kindId } = await aKind()
    await run((await start(kindId)).json().data.id)
    await t.db
      .updateTable('applicants')
      .set({ fullName: 'Nama Baru' })
      .where('accountId', '=', applicant.accountId)
      .execute()
    const { id } = (await start(kindId)).json().data
    await run(id)
    expect((await read(id)).chunks[0]).toMatchObject({ letters: 3, hasFile: true })
    const states = (await lettersOf(kindId)).map(({ state }) => state)
    expect(states.sort()).toEqual(['replaced', 'valid', 'valid', 'valid'])
  })

  it('skips people who withdrew after the preview, with the reason', async () => {
    await clear()
    const { id: registrationId, applicant } = await aCrowd(3)
    const { id: kindId } = await aKind()
    const { id } = (await start(kindId)).json().data
    expect((await step(applicant, registrationId, 'withdraw', { reason: 'Pindah kota' })).statusCode).toBe(200)
    await run(id)
    const batch = await read(id)
    expect(batch).toMatchObject({ status: 'done', finished: 3, refused: 1 })
    expect(batch.refusals).toMatchObject([{ registrationId, reason: expect.stringMatching(/berakhir|ended/) }])
    expect(await lettersOf(kindId)).toHaveLength(2)
  })

  it('whose people all lack a fact ends without a file', async () => {
    await clear()
    await aCrowd(2)
    const { id: kindId } = await aKind({ bodyId: 'Ruang {{testPlace}}' })
    const { sample } = (await clerk.post('/surat/massal/preview', request(kindId))).json().data
    expect(sample.refusal).toBeTruthy()
    const { id } = (await start(kindId)).json().data
    await run(id)
    expect(await read(id)).toMatchObject({ status: 'done', refused: 2, chunks: [{ hasFile: false, printed: true }] })
  })

  it('writes in the language of each applicant', async () => {
    await clear()
    await aCrowd(5)
    const { id: kindId } = await aKind()
    await run((await start(kindId, { language: 'applicant' })).json().data.id)
    const languages = (await lettersOf(kindId)).map(({ language }) => language)
    expect(new Set(languages)).toEqual(new Set(['id', 'en']))
  })

  it('keeps the text it was started with', async () => {
    await clear()
    await aCrowd(2)
    const { id: kindId, version } = await aKind()
    const { id } = (await start(kindId)).json().data
    await clerk.put(`/surat/${kindId}`, { version, ...content, numberTemplate: 'NEU{SEQ:5}/{YYYY}', bodyId: 'Lain' })
    await run(id)
    for (const { number } of await lettersOf(kindId)) expect(number).not.toMatch(/^NEU/)
  })

  it('cancelled between two chunks issues no further letters and prints the issued ones', async () => {
    await clear()
    await aCrowd(700)
    const { id: kindId } = await aKind()
    const { id } = (await start(kindId)).json().data
    await registerChunk(t.services, systemActor, id, 1)
    expect((await clerk.post(`/surat/massal/${id}/cancel`, {})).json().data.status).toBe('cancelled')
    expect((await clerk.post(`/surat/massal/${id}/cancel`, {})).json().code).toBe('letter_batch_ended')
    await run(id)
    const batch = await read(id)
    expect(batch.status).toBe('cancelled')
    expect(batch.chunks).toMatchObject([
      { letters: 500, hasFile: true },
      { letters: 0, registered: false, hasFile: false },
    ])
    expect(await lettersOf(kindId)).toHaveLength(500)
    expect((await start(kindId)).statusCode).toBe(200)
  })

  it('can be continued by hand after its job has ended, but not while it runs', async () => {
    await clear()
    await aCrowd(2)
    const { id: kindId } = await aKind()
    const { id } = (await start(kindId)).json().data
    expect((await clerk.post(`/surat/massal/${id}/continue`, {})).json().code).toBe('letter_batch_alive')
    await t.db
      .updateTable('letterBatches')
      .set({ workedAt: new Date(now.getTime() - batchStallsAfterMs - 1) })
      .where('id', '=', id)
      .execute()
    expect((await read(id)).stalled).toBe(true)
    expect((await clerk.post(`/surat/massal/${id}/continue`, {})).json().data.stalled).toBe(false)
    await t.runJobs()
    expect((await read(id)).status).toBe('done')
  })

  it('is refused if nobody matches', async () => {
    const { id: kindId } = await aKind()
    const { wave } = await academicOf(t)
    const nobody = request(kindId, { waveId: wave, stage: 'enrolled' })
    expect((await clerk.post('/surat/massal/preview', nobody)).json().data).toEqual({
      people: 0,
      letters: 0,
      sample: null,
    })
    expect((await clerk.post('/surat/massal', nobody)).json().code).toBe('letter_batch_empty')
  })

  it('has an outcome for each person that cannot be changed in the database', async () => {
    await clear()
    await aCrowd(2)
    const { id: kindId } = await aKind()
    const { id } = (await start(kindId)).json().data
    await run(id)
    await expect(
      sql`UPDATE letter_batch_members SET letter_id = NULL WHERE batch_id = ${id}`.execute(t.db),
    ).rejects.toThrow(/one letter/)
    await expect(
      sql`INSERT INTO letter_batch_members SELECT batch_id, registration_id, position + 100, chunk
        FROM letter_batch_members WHERE batch_id = ${id}`.execute(t.db),
    ).rejects.toThrow(/letter_batch_members_pkey/)
  })

  it('started by a role limited to one programme covers only that programme, and others with such a role do not see it', async () => {
    await clear()
    await aCrowd(2)
    const { programmes } = await academicOf(t)
    const mine = await aRegistration(t, { status: 'submitted', choices: [programmes[1]] })
    const limited = (programmeId: string) =>
      asWithPermissions(t, ['surat-view', 'surat-create'], { programmeIds: [programmeId] })
    const [dean, otherDean] = [await limited(programmes[1]), await limited(programmes[0])]
    const { id: kindId } = await aKind()
    const { id, total } = (await start(kindId, {}, dean)).json().data
    expect(total).toBe(1)
    await run(id)
    expect((await lettersOf(kindId)).map(({ registrationId }) => registrationId)).toEqual([mine.id])
    expect((await dean.get(`/surat/massal/${id}`)).statusCode).toBe(200)
    expect((await dean.get('/surat/massal')).json().meta.total).toBe(1)
    for (const path of [`/surat/massal/${id}`, `/surat/massal/${id}/chunks/1/file.pdf`])
      expect((await otherDean.get(path)).statusCode).toBe(404)
    expect((await otherDean.post(`/surat/massal/${id}/cancel`, {})).statusCode).toBe(404)
    expect((await otherDean.get('/surat/massal')).json().meta.total).toBe(0)
  })
})
