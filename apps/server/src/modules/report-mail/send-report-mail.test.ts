import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { shiftDay, universityCalendar } from '#domain/calendar.ts'
import { findActorOf } from '#server/platform/access/actor-of-account.ts'
import { cleanUpJob } from '#server/platform/clean-up.job.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration } from '#server-test/factories/admissions.ts'
import {
  aReportMail,
  copyRegistration,
  mailServer,
  reportMailInput,
  runsOf,
} from '#server-test/factories/report-mail.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { sendMailNow } from './report-mails.ts'
import { sendReportMailJob } from './send-report-mail.job.ts'
import { startReportMailsJob } from './start-report-mails.job.ts'

const right = 'laporan-pendaftaran-prodi'
const server = mailServer()

let t: TestApp
let rector: TestActor
let dean: TestActor
let administrator: TestActor
let registrationId: string
beforeAll(async () => {
  t = await testApp({ mail: server.transport })
  const { programmes } = await academicOf(t)
  for (const programme of [programmes[0], programmes[0], programmes[1]])
    registrationId = (await aRegistration(t, { status: 'submitted', choices: [programme] })).id
  administrator = await asStaff(t)
  rector = await asStaff(t, 'Pimpinan', { name: 'Rektor Contoh', language: 'en' })
  dean = await asWithPermissions(t, [right], { programmeIds: [programmes[0]] }, { name: 'Dekan', language: 'id' })
  await t.runJobs()
}, 120_000)
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.reset()
  await t.db.deleteFrom('reportMails').execute()
  await sql`DELETE FROM pgboss.job`.execute(t.owner)
  await t.owner.deleteFrom('exports').execute()
  server.sent.length = 0
  server.refusal = null
})

/** Sends a mail as its button does, but without the route's limit of ten an hour. */
async function start({ accountId }: TestActor, id: string) {
  const actor = await findActorOf(t.db, accountId, t.clock.now())
  await sendMailNow(t.services, actor!, id)
}
/** Sends now and runs the queue, including retries. */
async function send(owner: TestActor, id: string) {
  await start(owner, id)
  await workQueue()
}
async function workQueue() {
  const before = t.clock.now()
  t.clock.set(new Date(Math.max(Date.now(), before.getTime()) + 6 * 3_600_000))
  await t.runJobs()
  t.clock.set(before)
}
const mailTo = ({ email }: TestActor) => server.sent.filter(({ to }) => to === email)
const figuresOf = async (actor: TestActor) =>
  (await actor.get('/reports/pendaftaran-prodi/figures?compare=no')).json().data.total.values
const registerOf = async (list = right) =>
  (await administrator.get('/exports?per_page=100'))
    .json()
    .data.filter((row: { list: string }) => row.list === list) as {
    accountName: string
    status: string
    rows: number
    filterWords: string
  }[]
const failedJobs = async (queue: string) => {
  const { queues } = (await administrator.get('/settings/health')).json().data
  return (queues as { name: string; failures: { id: string; problem: string }[] }[]).find(({ name }) => name === queue)
    ?.failures
}
const retry = async (queue: string) => {
  const answer = await administrator.post('/settings/health/jobs/retry', { queue })
  expect(answer.statusCode, answer.body).toBe(200)
  await workQueue()
}
const deactivate = ({ accountId }: TestActor, active = false) =>
  t.db.updateTable('accounts').set({ active }).where('id', '=', accountId).execute()
const withoutRight = async ({ accountId }: TestActor) =>
  sql`DELETE FROM role_permissions WHERE permission = ${right}
    AND role_id = (SELECT role_id FROM accounts WHERE id = ${accountId})`.execute(t.db)
const aGuest = () => asWithPermissions(t, [right], {}, { name: 'Tamu', language: 'en' })
const columnOf = (csv: string, heading: string) => {
  const [head = '', ...lines] = csv.replace('\uFEFF', '').trim().split('\r\n')
  const separator = head.includes(';') ? ';' : ','
  const index = head.split(separator).indexOf(heading)
  expect(index, head).toBeGreaterThan(-1)
  return lines.map((line) => line.split(separator)[index])
}

describe('each recipient', () => {
  test('gets rows of their own scope in their own language, and the register of exports records each file', async () => {
    const { id } = await aReportMail(rector, [rector, dean])
    const answer = await rector.post(`/report-mails/${id}/send`)
    expect(answer.json()).toEqual({ data: { recipients: 2 } })
    await workQueue()
    const [[english], [indonesian]] = [mailTo(rector), mailTo(dean)]
    expect(columnOf(english!.file!, 'Submitted')).toEqual(['2', '1', '3'])
    expect(columnOf(indonesian!.file!, 'Dikirim')).toEqual(['2', '2'])
    expect((await figuresOf(rector)).submitted).toBe(3)
    expect((await figuresOf(dean)).submitted).toBe(2)
    expect(english!.text).toContain('Rektor Contoh scheduled this mail')
    expect(indonesian!.text).toContain('dikirimkan oleh Rektor Contoh')
    expect(indonesian!.text).toContain('/laporan/pendaftaran-prodi?compare=no')
    const entries = await registerOf()
    expect(entries.map(({ accountName, status, rows }) => [accountName, status, rows]).toSorted()).toEqual([
      ['Dekan', 'done', 2],
      ['Rektor Contoh', 'done', 3],
    ])
    for (const { filterWords } of entries) expect(filterWords).toContain('Laporan pagi')
    expect((await runsOf(rector, id)).map(({ state, byHand }) => [state, byHand])).toEqual([
      ['sent', true],
      ['sent', true],
    ])
  })

  test('gets nothing when deactivated or without the permission, and the owner sees the reason', async () => {
    const [leaver, guest] = [await aGuest(), await aGuest()]
    const { id } = await aReportMail(rector, [rector, leaver, guest])
    await deactivate(leaver)
    await withoutRight(guest)
    await send(rector, id)
    expect(server.sent.map(({ to }) => to)).toEqual([rector.email])
    const refused = (await runsOf(rector, id)).filter(({ state }) => state === 'refused')
    expect(refused.map(({ reason }) => reason?.slice(0, 20)).toSorted()).toEqual([
      'The account is deact',
      'The role of this per',
    ])
    const [row] = (await rector.get('/report-mails?outcome=refused')).json().data
    expect(row).toMatchObject({ id, outcome: 'refused' })
  })

  test('gets nothing once removed by the owner, even if sending has begun', async () => {
    const { id, version } = await aReportMail(rector, [rector, dean])
    await start(rector, id)
    const { report: _report, question: _question, columns: _columns, ...changed } = reportMailInput([rector])
    const saved = await rector.put(`/report-mails/${id}`, { ...changed, version })
    expect(saved.statusCode, saved.body).toBe(200)
    await workQueue()
    expect(server.sent.map(({ to }) => to)).toEqual([rector.email])
    expect((await runsOf(rector, id)).filter(({ state }) => state === 'refused')).toMatchObject([
      { recipient: 'Dekan', reason: 'You have since removed this person from the recipients.' },
    ])
  })

  test('gets nothing while the owner is deactivated or may not open the report', async () => {
    const owner = await aGuest()
    const { id } = await aReportMail(owner, [owner, rector])
    await start(owner, id)
    await deactivate(owner)
    await workQueue()
    expect(server.sent).toEqual([])
    const runs = await t.db.selectFrom('reportMailRuns').select(['state', 'reason']).where('mailId', '=', id).execute()
    const refused = { state: 'refused', reason: 'owner_without_right' }
    expect(runs).toEqual([refused, refused])
    await deactivate(owner, true)
    await withoutRight(owner)
    // The cached session learns of both changes by a database notification.
    await vi.waitFor(async () => expect((await owner.post(`/report-mails/${id}/send`)).statusCode).toBe(403), {
      timeout: 10_000,
      interval: 300,
    })
  })

  test('whose role sees no rows is skipped with `skipsEmpty`, even if a programme offers places', async () => {
    const { programmes } = await academicOf(t)
    const { id: lonely } = await t.owner
      .insertInto('studyProgrammes')
      .columns(['code', 'name', 'facultyId', 'degreeLevelId', 'npmCode'])
      .expression((eb) =>
        eb
          .selectFrom('studyProgrammes')
          .select([sql`'KOSONG'`.as('code'), sql`'Tanpa Pendaftar'`.as('name'), 'facultyId', 'degreeLevelId'])
          .select(sql`'99'`.as('npmCode'))
          .where('id', '=', programmes[0]),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`INSERT INTO programme_details (programme_id, wave_id, class_programme_id, entry_level_id, capacity)
      SELECT ${lonely}, wave_id, class_programme_id, entry_level_id, 40 FROM programme_details LIMIT 1`.execute(t.owner)
    const reader = await asWithPermissions(t, [right], { programmeIds: [lonely] }, { name: 'Kaprodi' })
    expect((await figuresOf(reader)).capacity).toBe(40)
    const { id } = await aReportMail(rector, [reader], { skipsEmpty: true })
    await send(rector, id)
    expect(server.sent).toEqual([])
    expect(await runsOf(rector, id)).toMatchObject([{ state: 'empty', rows: 0 }])
    expect((await rector.get('/report-mails?outcome=empty')).json().data).toMatchObject([{ id }])
    const all = await aReportMail(rector, [reader])
    await send(rector, all.id)
    expect(mailTo(reader)).toHaveLength(1)
  })
})

describe('a due time', () => {
  const calendar = universityCalendar()
  /** A time of day some days from today, by default 07.00. */
  const morning = (days: number, time = '07:00') =>
    calendar.momentOf(`${shiftDay(calendar.dayOf(new Date()), days)} ${time}:00`)
  const startDue = () => startReportMailsJob.run(t.services, {})
  const dueTimes = async (id: string) =>
    (await t.db.selectFrom('reportMailRuns').select('dueAt').where('mailId', '=', id).orderBy('dueAt').execute()).map(
      ({ dueAt }) => dueAt.getTime(),
    )

  test('is sent once, even if several servers start it and several workers run its job', async () => {
    t.clock.set(morning(1, '06:00'))
    const { id } = await aReportMail(await aGuest(), [rector])
    t.clock.set(morning(1, '07:01'))
    await Promise.all([startDue(), startDue(), startDue()])
    expect(await dueTimes(id)).toEqual([morning(1).getTime()])
    const { id: runId } = await t.db
      .selectFrom('reportMailRuns')
      .select('id')
      .where('mailId', '=', id)
      .executeTakeFirstOrThrow()
    await Promise.all([1, 2, 3].map(() => sendReportMailJob.run(t.services, { runId })))
    await workQueue()
    expect(mailTo(rector)).toHaveLength(1)
    const files = await t.db
      .selectFrom('files')
      .select(({ fn }) => fn.countAll<number>().as('kept'))
      .where('purpose', '=', 'report-mail')
      .where('deletedAt', 'is', null)
      .executeTakeFirstOrThrow()
    expect(files.kept).toBe(0)
  })

  test('missed for days is sent once afterwards', async () => {
    t.clock.set(morning(1, '06:00'))
    const { id } = await aReportMail(await aGuest(), [rector])
    t.clock.set(morning(5, '09:30'))
    await startDue()
    await startDue()
    expect(await dueTimes(id)).toEqual([morning(5).getTime()])
  })

  test('during a pause is skipped, and the next one is sent', async () => {
    t.clock.set(morning(1, '06:00'))
    const owner = await aGuest()
    const { id } = await aReportMail(owner, [rector])
    await owner.put(`/report-mails/${id}/active`, { active: false, version: 1 })
    t.clock.set(morning(1, '10:00'))
    await startDue()
    await owner.put(`/report-mails/${id}/active`, { active: true, version: 2 })
    await startDue()
    expect(await dueTimes(id)).toEqual([])
    t.clock.set(morning(2, '07:00'))
    await startDue()
    expect(await dueTimes(id)).toEqual([morning(2).getTime()])
  })

  test('that cannot be started does not delay other mails, and fails its job', async () => {
    t.clock.set(morning(1, '06:00'))
    const owner = await aGuest()
    await aReportMail(owner, [rector], { hour: 7 })
    const second = await aReportMail(owner, [dean], { hour: 8 })
    t.clock.set(morning(1, '08:00'))
    vi.spyOn(t.services.jobs, 'enqueue').mockRejectedValueOnce(new Error('queue is away'))
    await expect(startDue()).rejects.toThrow('queue is away')
    vi.restoreAllMocks()
    expect(await dueTimes(second.id)).toEqual([morning(1, '08:00').getTime()])
  })

  test('whose hand-over failed half-way is sent once, from the beginning', async () => {
    const { id } = await aReportMail(rector, [rector])
    await start(rector, id)
    vi.spyOn(t.services.jobs, 'enqueue').mockRejectedValueOnce(new Error('connection lost'))
    await workQueue()
    vi.restoreAllMocks()
    await workQueue()
    expect(mailTo(rector)).toHaveLength(1)
    expect(await registerOf()).toHaveLength(1)
    expect(await runsOf(rector, id)).toMatchObject([{ state: 'sent', reason: null }])
  })
})

describe('a failure', () => {
  test('of the report is shown to the owner as a sentence and listed among failed jobs until it is run again', async () => {
    const { id } = await aReportMail(rector, [rector])
    await t.db.updateTable('reportMails').set({ question: 'by=gone' }).where('id', '=', id).execute()
    await send(rector, id)
    expect(server.sent).toEqual([])
    const [run] = await runsOf(rector, id)
    expect(run).toMatchObject({ state: 'failed', reason: expect.stringContaining('could not be created') })
    expect(run!.reason).not.toMatch(/[{}[\]]|invalid_input/)
    expect((await rector.get('/report-mails?outcome=failed')).json().data).toMatchObject([{ id }])
    expect(await failedJobs('send-report-mail')).toHaveLength(1)
    await t.db.updateTable('reportMails').set({ question: '' }).where('id', '=', id).execute()
    await retry('send-report-mail')
    expect(mailTo(rector)).toHaveLength(1)
    expect(await runsOf(rector, id)).toMatchObject([{ state: 'sent', reason: null }])
    expect(await failedJobs('send-report-mail')).toBeUndefined()
  })

  test('of the mail server is shown with its words, and the register of exports says failed', async () => {
    const { id } = await aReportMail(rector, [rector])
    server.refusal = 550
    await send(rector, id)
    expect(await runsOf(rector, id)).toMatchObject([
      { state: 'failed', reason: 'The mail server refused the mail: 550 mailbox unavailable' },
    ])
    expect((await registerOf())[0]).toMatchObject({ accountName: 'Rektor Contoh', status: 'failed' })
    expect(await failedJobs('report-mail-failed')).toMatchObject([{ problem: expect.stringContaining('550') }])
    server.refusal = null
    await retry('report-mail-failed')
    expect(mailTo(rector)).toHaveLength(1)
    expect(mailTo(rector)[0]!.file).toContain('Informatika')
    expect((await registerOf())[0]!.status).toBe('done')
    expect(await runsOf(rector, id)).toMatchObject([{ state: 'sent' }])
  })

  test('run again later sends nothing to a recipient who lost the permission meanwhile', async () => {
    const guest = await aGuest()
    const { id } = await aReportMail(rector, [guest])
    server.refusal = 550
    await send(rector, id)
    await withoutRight(guest)
    server.refusal = null
    await retry('report-mail-failed')
    expect(server.sent).toEqual([])
    expect(await runsOf(rector, id)).toMatchObject([
      { state: 'refused', reason: 'The role of this person may not open the report any more.' },
    ])
    const { deletedAt } = await t.db
      .selectFrom('files as f')
      .innerJoin('messages as m', 'm.fileId', 'f.id')
      .select('f.deletedAt')
      .where('m.accountId', '=', guest.accountId)
      .executeTakeFirstOrThrow()
    expect(deletedAt).not.toBeNull()
  })

  test('run again later sends what the recipient may see by then', async () => {
    const { programmes } = await academicOf(t)
    const guest = await aGuest()
    const { id } = await aReportMail(rector, [guest])
    server.refusal = 550
    await send(rector, id)
    await sql`INSERT INTO role_scopes (role_id, programme_id)
      SELECT role_id, ${programmes[0]}::uuid FROM accounts WHERE id = ${guest.accountId}`.execute(t.db)
    server.refusal = null
    await retry('report-mail-failed')
    expect(mailTo(guest).map(({ file }) => columnOf(file!, 'Submitted'))).toEqual([['2', '2']])
    expect(await runsOf(rector, id)).toMatchObject([{ state: 'sent', reason: null }])
    expect((await registerOf()).map(({ status }) => status).toSorted()).toEqual(['done', 'failed'])
    expect(await failedJobs('report-mail-failed')).toBeUndefined()
  })

  test('that was temporary sends nothing if the recipient lost the permission before the retry', async () => {
    const guest = await aGuest()
    const { id } = await aReportMail(rector, [guest])
    server.refusal = 451
    await start(rector, id)
    await t.runJobs()
    expect(await runsOf(rector, id)).toMatchObject([
      { state: 'waiting', reason: expect.stringContaining('has not accepted the mail yet (451 mailbox unavailable)') },
    ])
    await withoutRight(guest)
    server.refusal = null
    await workQueue()
    expect(server.sent).toEqual([])
    expect(await runsOf(rector, id)).toMatchObject([
      { state: 'refused', reason: 'The role of this person may not open the report any more.' },
    ])
    expect((await registerOf())[0]!.status).toBe('failed')
    expect(await failedJobs('report-mail-failed')).toBeUndefined()
  })

  test('of the process at the last attempt does not leave the run waiting forever', async () => {
    // The mail's own schedule is hours away.
    const hour = (new Date().getUTCHours() + 19) % 24
    const { id } = await aReportMail(rector, [dean], { hour })
    await start(rector, id)
    await t.db.updateTable('reportMailRuns').set({ attempts: 4 }).where('mailId', '=', id).execute()
    await sql`UPDATE pgboss.job SET state = 'failed', completed_on = now() WHERE name = 'send-report-mail' AND state = 'created'`.execute(
      t.owner,
    )
    await startReportMailsJob.run(t.services, {})
    expect(await runsOf(rector, id)).toMatchObject([{ state: 'waiting' }])
    t.clock.set(new Date(Date.now() + 20 * 60_000))
    await startReportMailsJob.run(t.services, {})
    t.clock.reset()
    expect(await runsOf(rector, id)).toMatchObject([
      { state: 'failed', reason: expect.stringContaining('could not be created') },
    ])
    await retry('send-report-mail')
    expect(mailTo(dean)).toHaveLength(1)
  })
})

describe('a file', () => {
  test('is replaced by a link above 2,000 rows', async () => {
    await copyRegistration(t, registrationId, 2_001)
    const { id } = await aReportMail(administrator, [administrator], { report: 'camaba', question: 'compare=no' })
    await send(administrator, id)
    const [mail] = mailTo(administrator)
    expect(mail).toMatchObject({ file: null })
    expect(mail!.text).toContain('/laporan/camaba?')
    const [run] = await runsOf(administrator, id)
    expect(run!.state).toBe('sent')
    expect(run!.rows).toBeGreaterThan(2_000)
    expect(await registerOf('laporan-camaba')).toEqual([])
  })

  test('is deleted once the mail is sent, and old runs are deleted together with old messages', async () => {
    const { id } = await aReportMail(rector, [rector])
    await send(rector, id)
    const file = await t.db
      .selectFrom('files as f')
      .innerJoin('messages as m', 'm.fileId', 'f.id')
      .innerJoin('reportMailRuns as x', 'x.messageId', 'm.id')
      .select(['f.id', 'f.deletedAt', 'f.storageKey'])
      .where('x.mailId', '=', id)
      .executeTakeFirstOrThrow()
    expect(file.deletedAt).not.toBeNull()
    t.clock.set(new Date(Date.now() + 1_100 * 86_400_000))
    await cleanUpJob.run(t.services, {})
    t.clock.reset()
    expect(await t.db.selectFrom('files').select('id').where('id', '=', file.id).execute()).toEqual([])
    await expect(t.services.files.bytes(file.storageKey)).rejects.toThrow()
    expect(await t.db.selectFrom('reportMailRuns').select('id').where('mailId', '=', id).execute()).toEqual([])
  })
})
