import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { aFeederStudent, feederProgrammeId } from '#server-test/factories/feeder.ts'
import { type FeederServer, feederServer } from '#server-test/peers/feeder-server.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { sendToFeederJob } from './send-to-feeder.job.ts'

let t: TestApp
let admin: TestActor
let server: FeederServer
let minutes = 0
beforeAll(async () => {
  t = await testApp()
  admin = await asStaff(t)
})
beforeEach(async () => {
  // After all claims of the test before have expired, and after the pause for an unavailable register.
  minutes += 60
  t.clock.set(new Date(Date.parse('2026-11-20T03:00:00Z') + minutes * 60_000))
  await t.db.deleteFrom('feederSendings').execute()
  server = await feederServer()
  await connect()
})
afterEach(() => server.close())
afterAll(() => t.close())

async function connect(changes: object = {}) {
  const { version } = (await admin.get('/settings/feeder')).json().data
  const saved = await admin.put('/settings/feeder', {
    ...{ target: 'sandbox', address: server.url, username: 'operator', password: server.password, version },
    ...changes,
  })
  expect(saved.statusCode, saved.body).toBe(200)
}
const send = (...ids: string[]) => admin.post('/mahasiswa-feeder/send', { ids })
/** Runs the job as a worker does; rejects if the register is unavailable. */
const work = () => {
  t.clock.set(new Date(t.clock.now().getTime() + 1))
  return sendToFeederJob.run(t.services, {})
}
const student = async (id: string) => (await admin.get(`/mahasiswa-feeder/${id}`)).json().data
const log = async (id: string) =>
  await t.db
    .selectFrom('feederResults')
    .selectAll()
    .where('registrationId', '=', id)
    .orderBy('at')
    .orderBy('id')
    .execute()
const outcomes = async (id: string) => (await log(id)).map(({ outcome }) => outcome)
const acts = () => server.calls.map(({ act }) => act)

describe('sending to Neo Feeder', () => {
  it('a ready student is sent to the sandbox once, as person and studies', async () => {
    const { id, npm, nik, name } = await aFeederStudent(t)
    expect((await send(id)).json().data).toMatchObject({ done: 1, target: 'sandbox' })
    await work()
    expect(server.people).toMatchObject([{ nik, nama_mahasiswa: name, jenis_kelamin: 'P', id_wilayah: '056001' }])
    expect(server.studies).toMatchObject([
      { nim: npm, id_prodi: feederProgrammeId, id_jalur_daftar: '12', id_periode_masuk: '20261', id_jenis_daftar: '1' },
    ])
    expect(server.studies[0]!.id_mahasiswa).toBe(server.people[0]!.id_mahasiswa)
    expect(server.calls.every(({ path }) => path === '/ws/sandbox2.php')).toBe(true)
    expect(await student(id)).toMatchObject({ state: 'sent', sending: { sentNpm: npm } })
    expect((await send(id)).json().data).toMatchObject({ done: 0, items: [{ reason: 'sent' }] })
    await work()
    expect(server.people).toHaveLength(1)
    expect(await outcomes(id)).toEqual(['sent'])
  })

  it('a student with problems is not queued, and refused if a problem appears after queueing', async () => {
    const { id, accountId } = await aFeederStudent(t)
    await send(id)
    await t.db.updateTable('applicants').set({ nisn: null }).where('accountId', '=', accountId).execute()
    await work()
    expect(server.people).toEqual([])
    expect(await student(id)).toMatchObject({
      state: 'refused',
      sending: { reason: 'incomplete', detail: 'nisn: missing' },
    })
    expect((await send(id)).json().data.items).toMatchObject([
      { reason: 'incomplete', problems: [{ field: 'nisn', problem: 'missing' }] },
    ])
  })

  it('a person the register already has is found, not inserted', async () => {
    const { id, nik, name } = await aFeederStudent(t)
    const { fields } = await student(id)
    const birthDate = fields.find(({ field }: { field: string }) => field === 'tanggal_lahir').value
    server.people.push({
      id_mahasiswa: crypto.randomUUID(),
      nik,
      nama_mahasiswa: name.toUpperCase(),
      tanggal_lahir: birthDate,
    })
    await send(id)
    await work()
    expect(acts()).not.toContain('InsertBiodataMahasiswa')
    expect(server.studies).toHaveLength(1)
    expect(await student(id)).toMatchObject({ state: 'sent' })
  })

  it('a record with the same NIK and another name is a contradiction, and nothing is sent', async () => {
    const { id, nik } = await aFeederStudent(t)
    server.people.push({
      id_mahasiswa: crypto.randomUUID(),
      nik,
      nama_mahasiswa: 'Orang Lain',
      tanggal_lahir: '2000-01-01',
    })
    await send(id)
    await work()
    expect(server.people).toHaveLength(1)
    expect(server.studies).toEqual([])
    expect(await log(id)).toMatchObject([{ outcome: 'contradicts', detail: 'nama_mahasiswa, tanggal_lahir' }])
  })

  it('a student number of another person is a contradiction before the person is inserted', async () => {
    const { id, npm } = await aFeederStudent(t)
    server.studies.push({ nim: npm, id_mahasiswa: crypto.randomUUID(), id_prodi: feederProgrammeId })
    await send(id)
    await work()
    expect(server.people).toEqual([])
    expect(await log(id)).toMatchObject([{ outcome: 'contradicts', detail: `nim ${npm}` }])
  })

  it('studies missing after a refusal are added to the same person', async () => {
    const { id } = await aFeederStudent(t)
    server.refuse.set('InsertRiwayatPendidikanMahasiswa', { error_code: 118, error_desc: 'Periode tidak aktif' })
    await send(id)
    await work()
    expect(await student(id)).toMatchObject({
      state: 'refused',
      sending: { reason: 'refused', detail: 'Periode tidak aktif', feederStudentId: server.people[0]!.id_mahasiswa },
    })
    expect(await log(id)).toMatchObject([{ act: 'InsertRiwayatPendidikanMahasiswa', errorCode: 118 }])
    await send(id)
    await work()
    expect(acts().filter((act) => act === 'InsertBiodataMahasiswa')).toHaveLength(1)
    expect(server.studies).toHaveLength(1)
    expect(await outcomes(id)).toEqual(['refused', 'sent'])
  })

  it.each(['InsertBiodataMahasiswa', 'InsertRiwayatPendidikanMahasiswa'])(
    'a lost answer to %s inserts nothing twice',
    async (act) => {
      const { id } = await aFeederStudent(t)
      server.loseAnswerOf.add(act)
      await send(id)
      await expect(work()).rejects.toMatchObject({ kind: 'unavailable' })
      expect(await student(id)).toMatchObject({ state: 'waiting' })
      await work()
      expect(server.people).toHaveLength(1)
      expect(server.studies).toHaveLength(1)
      expect((await outcomes(id))[0]).toBe('unavailable')
      expect(await student(id)).toMatchObject({ state: 'sent' })
    },
  )

  it('if a worker is killed between insert and record, another finishes once the claim has expired', async () => {
    const { id } = await aFeederStudent(t)
    await send(id)
    await work()
    // Rows as they are when the process dies after the register's answer and before recording it.
    await t.db.deleteFrom('feederResults').where('registrationId', '=', id).execute()
    await t.db.deleteFrom('feederSendings').where('registrationId', '=', id).execute()
    await t.db
      .insertInto('feederSendings')
      .values({
        ...{ registrationId: id, target: 'sandbox', state: 'sending', requestedAt: t.clock.now() },
        ...{ claim: crypto.randomUUID(), claimedUntil: new Date(t.clock.now().getTime() + 60_000) },
      })
      .execute()
    await work()
    expect(await student(id)).toMatchObject({ state: 'waiting' })
    t.clock.set(new Date(t.clock.now().getTime() + 61_000))
    await work()
    expect(server.people).toHaveLength(1)
    expect(server.studies).toHaveLength(1)
    expect(await outcomes(id)).toEqual(['found'])
  })

  it('an expired token is renewed, and stored answers do not contain it', async () => {
    server.tokenLasts = 2
    const { id } = await aFeederStudent(t)
    await send(id)
    await work()
    expect(await student(id)).toMatchObject({ state: 'sent' })
    expect(acts().filter((act) => act === 'GetToken').length).toBeGreaterThan(1)
    const tokenAnswers = await t.db.selectFrom('feederAnswers').selectAll().where('act', '=', 'GetToken').execute()
    expect(tokenAnswers.every(({ answer }) => answer === null)).toBe(true)
  })

  it('a wrong password stops all calls until the settings are corrected', async () => {
    server.password = 'another'
    const { id } = await aFeederStudent(t)
    await send(id)
    await expect(work()).rejects.toMatchObject({ isSignIn: true })
    const tries = server.calls.length
    await work()
    expect(server.calls).toHaveLength(tries)
    expect((await admin.get('/settings/feeder')).json().data).toMatchObject({ problem: 'sign_in', waiting: 1 })
    await connect({ password: 'another' })
    await work()
    expect(await student(id)).toMatchObject({ state: 'sent' })
  })

  it('students wait while the register is unavailable, and after five failures calls pause', async () => {
    server.isDown = true
    const { id } = await aFeederStudent(t)
    await send(id)
    for (let run = 0; run < 7; run++) await expect(work()).rejects.toMatchObject({ kind: 'unavailable' })
    expect(server.calls).toHaveLength(5)
    expect(await outcomes(id)).toEqual(['unavailable'])
    server.isDown = false
    t.clock.set(new Date(t.clock.now().getTime() + 31_000))
    await work()
    expect(await student(id)).toMatchObject({ state: 'sent' })
    expect((await admin.get('/settings/feeder')).json().data.problem).toBeNull()
  })

  it('an answer after the timeout counts as lost', async () => {
    const { id } = await aFeederStudent(t)
    await send(id)
    const { config } = t.services
    const usualMs = config.bankTimeoutMs
    server.slowMs = 2_000
    config.bankTimeoutMs = 200
    await expect(work()).rejects.toMatchObject({ detail: 'no answer in time' })
    server.slowMs = 0
    config.bankTimeoutMs = usualMs
    await work()
    expect(server.people).toHaveLength(1)
  })

  it('two requests and three workers at once send each student once', async () => {
    const ids = (await Promise.all([1, 2, 3, 4].map(() => aFeederStudent(t)))).map(({ id }) => id)
    const requests = await Promise.all([send(...ids), send(...ids.toReversed())])
    expect(requests.map((answer) => answer.json().data.done).reduce((sum, done) => sum + done)).toBe(4)
    server.slowMs = 30
    await Promise.all([work(), work(), work()])
    expect(server.people).toHaveLength(4)
    expect(new Set(server.studies.map(({ nim }) => nim)).size).toBe(4)
    expect(server.studies).toHaveLength(4)
    for (const id of ids) expect(await outcomes(id)).toEqual(['sent'])
  })

  it('two registrations of one person are never sent at the same time', async () => {
    const [one, other] = [await aFeederStudent(t), await aFeederStudent(t)]
    await t.db.updateTable('registrations').set({ accountId: one.accountId }).where('id', '=', other.id).execute()
    await send(one.id, other.id)
    let atOnce = 0
    const claimed = async () => {
      const { count } = await t.db
        .selectFrom('feederSendings')
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .where('state', '=', 'sending')
        .executeTakeFirstOrThrow()
      atOnce = Math.max(atOnce, Number(count))
    }
    server.onCall = claimed
    await Promise.all([work(), work()])
    expect(atOnce).toBe(1)
  })

  it('settings changed while a student is sent apply from the next student on', async () => {
    const [one, other] = [await aFeederStudent(t), await aFeederStudent(t)]
    await connect({ target: 'live' })
    await send(one.id, other.id)
    server.onCall = async () => {
      server.onCall = async () => {}
      await connect({ target: 'sandbox' })
    }
    await work()
    expect(server.studies).toHaveLength(1)
    const states = await t.db.selectFrom('feederSendings').select(['target', 'state']).orderBy('state').execute()
    expect(states).toEqual([
      { target: 'live', state: 'sent' },
      { target: 'live', state: 'waiting' },
    ])
  })

  it('a waiting student can be taken out of the queue; a sent one cannot', async () => {
    const { id } = await aFeederStudent(t)
    await send(id)
    expect((await admin.post('/mahasiswa-feeder/stop', { ids: [id] })).json().data).toMatchObject({ done: 1 })
    await work()
    expect(server.calls).toEqual([])
    await send(id)
    await work()
    expect((await admin.post('/mahasiswa-feeder/stop', { ids: [id] })).json().data.items).toMatchObject([
      { reason: 'not_waiting' },
    ])
  })
})
