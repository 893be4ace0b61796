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
  // Later than every claim of the test before, and after the pause of a register that was away.
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
/** Runs the job as a worker does; a register that is away makes it fail. */
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
  it('a ready student arrives with person and studies, in the sandbox, once', async () => {
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

  it('a student with problems is left out, and refused if the problem came after the request', async () => {
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

  it('somebody the register knows as the same person is found, not inserted', async () => {
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

  it('somebody with the same NIK and another name is a contradiction: nothing is sent', async () => {
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

  it('a student number that is another’s is a contradiction before the person is inserted', async () => {
    const { id, npm } = await aFeederStudent(t)
    server.studies.push({ nim: npm, id_mahasiswa: crypto.randomUUID(), id_prodi: feederProgrammeId })
    await send(id)
    await work()
    expect(server.people).toEqual([])
    expect(await log(id)).toMatchObject([{ outcome: 'contradicts', detail: `nim ${npm}` }])
  })

  it('half a pair is completed with the same person', async () => {
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
    'a lost answer to %s doubles nothing',
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

  it('a worker killed after the insert and before the record is taken over once its claim has ended', async () => {
    const { id } = await aFeederStudent(t)
    await send(id)
    await work()
    // As the database stands if the process dies between the answer and the record.
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

  it('an expired token is renewed, and every answer is kept without it', async () => {
    server.tokenLasts = 2
    const { id } = await aFeederStudent(t)
    await send(id)
    await work()
    expect(await student(id)).toMatchObject({ state: 'sent' })
    expect(acts().filter((act) => act === 'GetToken').length).toBeGreaterThan(1)
    const tokenAnswers = await t.db.selectFrom('feederAnswers').selectAll().where('act', '=', 'GetToken').execute()
    expect(tokenAnswers.every(({ answer }) => answer === null)).toBe(true)
  })

  it('a wrong password stops the sending until the settings are right, without asking again and again', async () => {
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

  it('while the register is away students wait, and after five failures it is left alone for a while', async () => {
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

  it('an answer that comes too late counts as lost', async () => {
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

  it('two registrations of one person are not sent at the same time, as both would insert the person', async () => {
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

  it('settings changed in the middle of a sending hold for the next student', async () => {
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

  it('a student who waits is taken out of the sending; one who has arrived is not', async () => {
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
