import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { testSession } from '#server-test/factories/registrations/testing.ts'
import { aParticipant, manyParticipants, scoreImports } from '#server-test/factories/selection/scores.ts'
import { xlsxOfRows } from '#server-test/factories/sheets/sheets.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import { codeOf } from '#server-test/readers.ts'
import { pastTriggers, type TestApp, testApp } from '#server-test/test-app.ts'
import { forgetScoreFilesJob } from './forget-score-files.job.ts'

let t: TestApp
let academic: AcademicFixture
let staff: TestActor
let use: ReturnType<typeof scoreImports>
let session: string

beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db, t.clock.now())
  staff = await asStaff(t)
  use = scoreImports(t, staff, academic)
})
afterAll(() => t.close())
beforeEach(async () => {
  session = await testSession(t.db, academic, t.clock.now(), { capacity: 500 })
})

const participant = (
  person: Omit<Parameters<typeof aParticipant>[2] & object, 'seat'> = {},
  status?: 'absent' | 'booked',
) => aParticipant(t, academic, { ...person, seat: { session, ...(status && { status }) } })
const head = ['Kode', 'TPA'] as const
const scoreOf = async (code: string) => (await use.scores())[code]

describe('a file of scores', () => {
  it('is checked without writing anything, then written once, however often requested', async () => {
    const [one, two] = [await participant(), await participant()]
    const checked = await use.check([head, [one.code, 71.5], [two.code, '68,25']])
    expect(checked).toMatchObject({ status: 'checked', scores: { new: 2, changed: 0 }, problems: 0 })
    expect(await scoreOf(one.code)).toBeUndefined()
    const answers = await Promise.all([use.run(checked), use.run(checked), use.run(checked)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect([await scoreOf(one.code), await scoreOf(two.code)]).toEqual([71.5, 68.25])
    expect(await use.versions(one.id)).toEqual([71.5])
  })

  it('may be an XLSX file from another system, with its own headings', async () => {
    const one = await participant()
    const bytes = await xlsxOfRows(
      [
        { key: 'user', label: 'No Peserta', kind: 'text' },
        { key: 'mark', label: 'Skor Akhir', kind: 'number' },
      ],
      [{ user: one.code, mark: 83.5 }],
    )
    const { id, mapping } = (
      await staff.upload(`/score-imports?waveId=${academic.wave}`, { name: 'cbt.xlsx', type: 'x', bytes })
    ).json().data
    expect(mapping).toEqual([{ header: 'No Peserta', as: 'number' }])
    const unmapped = await staff.post(`/score-imports/${id}/check`, { mapping: [], profile: null })
    expect(unmapped.json().errors.mapping).toEqual(['Choose the column with the score, and its test.'])
    const checked = await staff.post(`/score-imports/${id}/check`, {
      mapping: [...mapping, { header: 'Skor Akhir', as: 'score', testId: academic.test }],
      profile: null,
    })
    expect(checked.json().data).toMatchObject({ scores: { new: 1 }, problems: 0 })
  })

  it('with mixed line endings keeps every row, and rows of another width are named', async () => {
    const people = []
    for (let count = 0; count < 5; count++) people.push(await participant())
    const rows = people.map(({ code }, index) => `${code};${70 + index}${['', '', '', ';ulang', ';hadir'][index]}`)
    rows[0] = `="${people[0]!.code}";170;hadir`
    rows[2] += ';hadir;lagi'
    const { id } = await use.uploadFile(Buffer.from(`Kode;Nilai;Keterangan\r\n${rows.join('\n')}\r\n`))
    const mapping = [
      { header: 'Kode', as: 'code' },
      { header: 'Nilai', as: 'score', testId: academic.test },
    ]
    const checked = (await staff.post(`/score-imports/${id}/check`, { mapping, profile: null })).json().data
    expect(checked).toMatchObject({ rows: { total: 5, wrong: 3 }, scores: { new: 2 }, problems: 3 })
    expect((await use.problems(checked)).map(({ row, letter, reason }) => [row, letter, reason.slice(0, 24)])).toEqual([
      [2, 'B', 'The score must be betwee'],
      [3, null, 'This row has 2 cells, bu'],
      [4, null, 'This row has 4 cells, bu'],
    ])
  })

  it('with a number that may mean thousands, or was truncated by a spreadsheet, is not guessed', async () => {
    const [one, two] = [await participant(), await participant()]
    const record = await use.check([
      [...head, 'Nomor'],
      [one.code, '1.000', ''],
      [two.code, '0.125', '3,17E+15'],
    ])
    expect(record).toMatchObject({ rows: { wrong: 2 }, scores: { new: 0 } })
    expect((await use.problems(record)).map(({ row, letter, reason }) => [row, letter, reason.slice(0, 24)])).toEqual([
      [2, 'B', 'This may be a thousand o'],
      [3, 'C', 'Excel has cut this numbe'],
    ])
  })

  it('lists every problem with its row and column, in both languages', async () => {
    const [absent, high, twice, withdrawn] = [
      await participant({}, 'absent'),
      await participant(),
      await participant(),
      await participant({ status: 'withdrawn' }),
    ]
    const elsewhere = await aParticipant(t, academic, {
      seat: { session: await testSession(t.db, academic, t.clock.now(), { name: 'Sesi sore' }) },
    })
    const rows = [
      head,
      [absent.code, 50],
      [high.code, 100.5],
      [twice.code, 60],
      [twice.code, 61],
      [elsewhere.code, 40],
      ['TIDAK-ADA', 30],
      [withdrawn.code, 30],
      ['', 30],
      [high.code, 'tujuh'],
    ]
    const record = await use.check(rows, { session })
    expect(record).toMatchObject({ status: 'checked', rows: { total: 9, wrong: 8 }, scores: { new: 1 }, problems: 9 })
    const found = await use.problems(record)
    expect(found.map(({ row, letter }) => `${letter}${row}`)).toEqual('A2 B3 B5 A6 A7 A8 A9 B10 B10'.split(' '))
    expect(found.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('absent'),
      'The score must be between 0 and 100.',
      'Row 4 has a score of the same person in the same test. Keep one of them.',
      `${elsewhere.code} belongs to another session: Sesi sore.`,
      expect.stringContaining('Nobody has this code'),
      expect.stringContaining('not submitted, or has ended'),
      expect.stringContaining('does not identify anybody'),
      expect.stringContaining('not a number'),
      expect.stringContaining('Row 3'),
    ])
    expect((await use.problems(record, 'id'))[1]!.reason).toBe('Nilai harus antara 0 dan 100.')
    expect(codeOf(await use.run(record))).toEqual([409, 'scores_need_decisions'])
    expect(await scoreOf(twice.code)).toBeUndefined()
  })

  it('with problems writes the correct rows only on request', async () => {
    const [right, absent] = [await participant(), await participant({}, 'absent')]
    const record = await use.check([head, [right.code, 55], [absent.code, 66]])
    expect((await use.run(record, { leavesOut: true })).statusCode).toBe(200)
    expect([await scoreOf(right.code), await scoreOf(absent.code)]).toEqual([55, undefined])
  })

  it('with a code that belongs to another name has a problem', async () => {
    const one = await participant({ name: 'Siti Aminah' })
    const named = (name: string) =>
      use.check([
        ['Kode', 'Nama', 'TPA'],
        [one.code, name, 50],
      ])
    expect((await named('Budi Santoso')).problems).toBe(1)
    expect((await named('AMINAH, Siti')).problems).toBe(0)
  })

  it('that marks a person as absent gives no score', async () => {
    const one = await participant()
    const record = await use.check([
      ['Kode', 'Hadir', 'TPA'],
      [one.code, 'Tidak hadir', 50],
    ])
    expect((await use.problems(record))[0]!.reason).toContain('The file marks')
  })

  it.each([
    ['without rows', [head], 'no rows below its headings'],
    ['without anything', [[]], 'empty'],
  ])('%s is refused', async (_situation, rows, sentence) => {
    const bytes = Buffer.from(rows.map((cells) => `${cells.join(',')}`).join('\n'))
    const answer = await staff.upload(`/score-imports?waveId=${academic.wave}`, {
      name: 'a.csv',
      type: 'text/csv',
      bytes,
    })
    expect([answer.statusCode, answer.json().errors]).toEqual([422, { file: [expect.stringContaining(sentence)] }])
  })
})

describe('the same file again', () => {
  it('changes nothing; a corrected one creates a new version and shows what changes', async () => {
    const [one, two] = [await participant(), await participant()]
    await use.write([head, [one.code, 60], [two.code, 70]])
    const same = await use.check([head, [one.code, 60], [two.code, 70]])
    expect(same.scores).toMatchObject({ new: 0, changed: 0, unchanged: 2 })
    expect(codeOf(await use.run(same))).toEqual([409, 'import_changes_nothing'])

    const corrected = await use.check([head, [one.code, 60], [two.code, 75]])
    const lines = (await staff.get(`/score-imports/${corrected.id}/lines?action=changed`)).json().data
    expect(lines).toEqual([expect.objectContaining({ code: two.code, scoreBefore: 70, score: 75 })])
    expect((await use.run(corrected)).statusCode).toBe(200)
    expect([await use.versions(one.id), await use.versions(two.id)]).toEqual([[60], [70, 75]])
  })

  it('is not written if a score was recorded by hand since its check', async () => {
    const one = await participant()
    const record = await use.check([head, [one.code, 60]])
    await staff.put(`/pendaftaran/${one.id}/score`, { testId: academic.test, version: 0, score: 61 })
    expect(codeOf(await use.run(record))).toEqual([409, 'scores_changed_since_check'])
    expect(await scoreOf(one.code)).toBe(61)
  })

  it('and a score recorded by hand at the same moment: one is written, the other refused', async () => {
    const one = await participant()
    const record = await use.check([head, [one.code, 60]])
    const lock = sql`SELECT FROM registrations WHERE id = ${one.id} FOR UPDATE`
    const byHand = { testId: academic.test, version: 0, score: 61 }
    const answers = await raceBehind(t, lock, 2, () =>
      Promise.all([use.run(record), staff.put(`/pendaftaran/${one.id}/score`, byHand)]),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect(await use.versions(one.id)).toHaveLength(1)
  })

  it('is not written if a person was marked absent since its check', async () => {
    const one = await participant()
    const record = await use.check([head, [one.code, 60]])
    await t.db.updateTable('testSeats').set({ status: 'absent' }).where('registrationId', '=', one.id).execute()
    expect(codeOf(await use.run(record))).toEqual([409, 'scores_changed_since_check'])
  })

  it('is not written after a check the user has not seen', async () => {
    const one = await participant()
    const record = await use.check([head, [one.code, 60]])
    await staff.post(`/score-imports/${record.id}/check`, { mapping: record.mapping, profile: null })
    expect(codeOf(await use.run(record))).toEqual([409, 'stale_version'])
  })

  it('needs a reason for people whose result is decided', async () => {
    const one = await participant({ status: 'decided' })
    const record = await use.check([head, [one.code, 60]])
    expect(record.scores.decided).toBe(1)
    const refused = await use.run(record)
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['reason']])
    expect((await use.run(record, { reason: 'Kunci jawaban nomor 12 salah' })).statusCode).toBe(200)
    const { reason } = await t.db
      .selectFrom('auditLog')
      .select('reason')
      .where('action', '=', 'score-import.write')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(reason).toBe('Kunci jawaban nomor 12 salah')
  })
})

describe('a score', () => {
  it('is checked as in the file, before rounding', async () => {
    const [low, high, fine] = [await participant(), await participant(), await participant()]
    const record = await use.check([head, [low.code, -0.001], [high.code, 100.0001], [fine.code, 99.9961]])
    expect(record).toMatchObject({ scores: { new: 1 }, problems: 2 })
    expect((await use.problems(record)).map(({ row }) => row)).toEqual([2, 3])
  })

  it('of a session still ahead is a problem', async () => {
    const early = await participant({}, 'booked')
    const record = await use.check([head, [early.code, 50]])
    const [problem] = await use.problems(record)
    expect(problem!.reason).toContain('has not taken place yet')
    expect((await use.problems(record, 'id'))[0]!.reason).toContain('belum berlangsung')
    await pastTriggers(t, sql`UPDATE test_sessions SET date = '2020-01-01' WHERE id = ${session}`)
    expect(await use.check([head, [early.code, 50]])).toMatchObject({ scores: { new: 1 }, problems: 0 })
  })
})

describe('undoing an import', () => {
  it('restores every score and keeps every version', async () => {
    const [one, two] = [await participant(), await participant()]
    const first = await use.write([head, [one.code, 60]])
    const second = await use.write([head, [one.code, 65], [two.code, 70]])
    expect(codeOf(await use.undo(first))).toEqual([409, 'scores_recorded_since'])
    expect([(await use.undo(second)).statusCode, (await use.undo(second)).statusCode]).toEqual([200, 200])
    expect([await scoreOf(one.code), await scoreOf(two.code)]).toEqual([60, undefined])
    expect(await use.versions(one.id)).toEqual([60, 65, 60])
    expect(await use.versions(two.id)).toEqual([70, null])
    const history = (await staff.get(`/pendaftaran/${two.id}/score-versions`)).json().data
    const { name } = await t.db
      .selectFrom('accounts')
      .select('name')
      .where('id', '=', staff.accountId)
      .executeTakeFirstOrThrow()
    expect(history.find(({ score }: { score: number | null }) => score === null)).toMatchObject({ recordedBy: name })
    expect((await use.undo(first)).statusCode).toBe(200)
    expect(await scoreOf(one.code)).toBeUndefined()
  })

  it('is refused if a score was recorded by hand since', async () => {
    const one = await participant()
    const record = await use.write([head, [one.code, 60]])
    await staff.put(`/pendaftaran/${one.id}/score`, { testId: academic.test, version: 1, score: 90 })
    expect(codeOf(await use.undo(record))).toEqual([409, 'scores_recorded_since'])
    expect(await scoreOf(one.code)).toBe(90)
  })
})

describe('a person without a known code', () => {
  const heads = ['Nomor', 'Nama', 'Lahir', 'TPA'] as const

  it('is proposed by name and birth date, and written only after confirmation', async () => {
    const one = await participant({ name: 'Nur Hidayati Rahmah', birthDate: '2008-03-14' })
    await participant({ name: 'Bambang Nugroho', birthDate: '2008-03-14' })
    const record = await use.check([heads, ['CBT-77', 'Nur Hidayati', '14/03/2008', 81]], { profile: 'Moodle kampus' })
    expect(record).toMatchObject({ rows: { unconfirmed: 1, wrong: 0 }, scores: { new: 0 } })
    const people = (await staff.get(`/score-imports/${record.id}/people`)).json().data
    expect(people).toEqual([
      expect.objectContaining({ row: 2, candidates: [expect.objectContaining({ registrationId: one.id })] }),
    ])
    const confirmed = await staff.post(`/score-imports/${record.id}/people`, {
      people: [{ row: 2, registrationId: one.id }],
    })
    expect(confirmed.json().data).toMatchObject({ rows: { unconfirmed: 0 }, scores: { new: 1 } })
    expect((await use.run(confirmed.json().data)).statusCode).toBe(200)
    expect(await scoreOf(one.code)).toBe(81)

    // The system's number is now known.
    const again = await use.check([heads, ['CBT-77', 'Nur Hidayati', '', 82]], { profile: 'moodle kampus' })
    expect(again).toMatchObject({ profile: 'Moodle kampus', rows: { unconfirmed: 0 }, scores: { changed: 1 } })
  })

  it('confirmed as none of the proposed people is left out', async () => {
    await participant({ name: 'Kartika Dewi', birthDate: '2008-01-02' })
    const record = await use.check([heads, ['X1', 'Kartika Dewi', '2008-01-02', 81]])
    const answer = await staff.post(`/score-imports/${record.id}/people`, {
      people: [{ row: 2, registrationId: null }],
    })
    expect(answer.json().data).toMatchObject({ rows: { unconfirmed: 0, ignored: 1 }, scores: { new: 0 } })
  })

  it('cannot be confirmed as a person who was not proposed', async () => {
    await participant({ name: 'Lestari Putri', birthDate: '2008-05-06' })
    const other = await participant()
    const record = await use.check([heads, ['X2', 'Lestari Putri', '2008-05-06', 81]])
    const answer = await staff.post(`/score-imports/${record.id}/people`, {
      people: [{ row: 2, registrationId: other.id }],
    })
    expect(answer.statusCode).toBe(404)
  })
})

it("is forgotten after a month with the file's personal data; the scores can still be undone", async () => {
  const one = await participant()
  const record = await use.write([head, [one.code, 60]])
  const before = t.clock.now()
  t.clock.set(new Date(before.getTime() + 31 * 86_400_000))
  await forgetScoreFilesJob.run(t.services, {})
  t.clock.set(before)
  expect((await staff.get(`/score-imports/${record.id}`)).json().data).toMatchObject({ hasFile: false, samples: [] })
  expect((await staff.get(`/score-imports/${record.id}/file`)).statusCode).toBe(409)
  expect((await use.undo(record)).statusCode).toBe(200)
})

describe('a known system', () => {
  it('has its columns remembered, so that its next file is mapped on arrival', async () => {
    const one = await participant()
    const rows = [
      ['Kode', 'Paket', 'TPA', 'benar'],
      [one.code, 'A', 40, 20],
    ]
    await use.check(rows, { profile: 'CBT Nusantara' })
    const next = await use.upload(rows)
    expect(next).toMatchObject({ profile: 'CBT Nusantara', status: 'uploaded' })
    expect(next.mapping.map(({ as }) => as)).toEqual(['code', 'package', 'score', 'part'])
  })
})

it('a role limited to some programmes neither reads nor uploads files', async () => {
  const limited = await asWithPermissions(t, ['import-nilai-cbt-view'], { programmeIds: [academic.programmes[0]] })
  expect((await limited.get('/score-imports')).statusCode).toBe(403)
  const bytes = Buffer.from('Kode,TPA\nX,1\n')
  const sent = await limited.upload(`/score-imports?waveId=${academic.wave}`, {
    name: 'a.csv',
    type: 'text/csv',
    bytes,
  })
  expect(sent.statusCode).toBe(403)
})

it('5,000 lines are checked and written within seconds', async () => {
  const codes = await manyParticipants(t, academic, session, 5_000)
  const startMs = performance.now()
  const checked = await use.check([head, ...codes.map((code, index) => [code, index % 101] as const)])
  expect(checked).toMatchObject({ scores: { new: 5_000 }, problems: 0 })
  expect((await use.run(checked)).statusCode).toBe(200)
  expect(performance.now() - startMs).toBeLessThan(20_000)
}, 120_000)
