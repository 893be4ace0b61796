import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration } from '#server-test/factories/admissions.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { checkPhotosJob } from './check-photos.job.ts'
import { measureBackground } from './measure-background.ts'

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  t.clock.set('2026-11-20T03:00:00Z')
  staff = await asStaff(t, 'Panitia PMB')
})
afterAll(() => t?.close())

/** A picture with a head in the middle. */
const portrait = (background: string, { width = 600, height = 800 } = {}) =>
  sharp({ create: { width, height, channels: 3, background } })
    .composite([
      {
        input: { create: { width: width >> 1, height: height >> 1, channels: 3, background: '#8d6b52' } },
        left: width >> 2,
        top: height >> 2,
      },
    ])
    .jpeg()
    .toBuffer()

async function aStudent(photo: { background?: string; width?: number; height?: number } | null = {}) {
  const student = await aRegistration(t, { status: 'enrolled' })
  if (photo) {
    const sent = await student.applicant.upload('/auth/my-profile/photo', {
      name: 'foto.jpg',
      type: 'image/jpeg',
      bytes: await portrait(photo.background ?? '#c81e1e', photo),
    })
    expect(sent.statusCode, sent.body).toBe(200)
  }
  return student
}
type PhotoRow = { id: string; name: string; npm: string; state: string; background: string | null }
const listed = async (query: string) =>
  (await staff.get(`/download-foto-mahasiswa?per_page=200&${query}`)).json().data as PhotoRow[]
const stateOf = async (id: string, query: string) => (await listed(query)).find((row) => row.id === id)?.state
const request = {
  kind: 'zip',
  state: null,
  size: '3x4cm',
  template: '{npm}_{nama}',
  wanted: null,
  waveId: null,
  programmeId: null,
  status: null,
  q: null,
}
const start = (more: object = {}) => staff.post('/download-foto-mahasiswa/photo-downloads', { ...request, ...more })

/** Entries of a ZIP by name; the entries must be uncompressed. */
function entriesOf(zip: Buffer) {
  const entries = new Map<string, Buffer>()
  let at = zip.indexOf('PK\x01\x02', 0, 'latin1')
  while (at !== -1) {
    const [size, nameLength, extra, comment] = [
      zip.readUInt32LE(at + 24),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
    ]
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const local = zip.readUInt32LE(at + 42)
    const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    entries.set(name, zip.subarray(begin, begin + size))
    at = zip.indexOf('PK\x01\x02', at + 46 + nameLength + extra + comment, 'latin1')
  }
  return entries
}

describe('the background of a photo', () => {
  it.each([
    ['#c81e1e', 'red'],
    ['#1e40c8', 'blue'],
    ['#f4f4f4', 'white'],
    ['#3f7d3f', 'other'],
    ['#808080', 'other'],
  ])('%s is %s', async (background, name) => {
    expect(await measureBackground(await portrait(background))).toBe(name)
  })

  it('is uneven with several colours, and unreadable in a file that is no picture', async () => {
    const patches = await sharp({
      create: {
        width: 12,
        height: 16,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 90 },
      },
    })
      .png()
      .toBuffer()
    const striped = await sharp(patches).resize(300, 400, { kernel: 'nearest' }).png().toBuffer()
    expect(await measureBackground(striped)).toBe('uneven')
    expect(await measureBackground(Buffer.from('no picture'))).toBe('unreadable')
  })
})

describe('photos of students', () => {
  it('are listed with their state: missing, too small for the size, other background', async () => {
    const [red, blue, small, none] = await Promise.all([
      aStudent(),
      aStudent({ background: '#1e40c8' }),
      aStudent({ width: 400, height: 500 }),
      aStudent(null),
    ])
    expect(await stateOf(red.id, 'wanted=red')).toBe('unchecked')
    await checkPhotosJob.run(t.services, {})
    expect(await stateOf(red.id, 'wanted=red')).toBe('usable')
    expect(await stateOf(blue.id, 'wanted=red')).toBe('other_background')
    expect(await stateOf(blue.id, '')).toBe('usable')
    expect(await stateOf(small.id, 'size=3x4cm')).toBe('usable')
    expect(await stateOf(small.id, 'size=4x6cm')).toBe('too_small')
    expect(await stateOf(small.id, 'size=500x500px')).toBe('too_small')
    const unusable = (await listed('state=unusable&wanted=red&size=4x6cm')).map(({ id }) => id)
    expect(unusable).toEqual(expect.arrayContaining([blue.id, small.id, none.id]))
    expect(unusable).not.toContain(red.id)
  })

  it('are downloaded as ZIP in the requested size, named by the template, once per link', async () => {
    await Promise.all([aStudent(), aStudent()])
    const rows = await listed('state=usable')
    const { id, total, url } = (await start({ template: '{prodi}' })).json().data
    expect(total).toBe(rows.length)
    const answer = await t.app.inject({ url })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/zip'])
    const entries = entriesOf(answer.rawPayload)
    const [programme] = [...entries.keys()]
    expect(entries.size).toBe(total)
    expect([...entries.keys()]).toContain(programme!.replace('.jpg', '_(2).jpg'))
    expect(await sharp([...entries.values()].at(-1)).metadata()).toMatchObject({
      width: 354,
      height: 472,
      format: 'jpeg',
    })
    await expect
      .poll(async () => (await staff.get(`/download-foto-mahasiswa/photo-downloads/${id}`)).json().data)
      .toEqual({ status: 'done', done: total, failed: 0, total })
    const again = await t.app.inject({ url })
    expect([again.statusCode, again.json().code]).toEqual([409, 'download_used'])
    expect((await t.app.inject({ url: url.replace(/key=.*/, 'key=x.y') })).statusCode).toBe(403)
    const audit = await t.db
      .selectFrom('auditLog')
      .select('after')
      .where('action', '=', 'photo.download')
      .where('subjectId', '=', id)
      .executeTakeFirstOrThrow()
    expect(audit.after).toMatchObject({ kind: 'zip', photos: total })
  })

  it('are only the usable ones among the rows the list shows', async () => {
    const { code } = await aStudent()
    expect((await start({ q: code, state: 'usable' })).json().data.total).toBe(1)
    for (const state of ['missing', 'too_small', 'unusable'])
      expect((await start({ q: code, state })).json().code).toBe('no_usable_photos')
    expect((await start({ state: 'missing' })).json().code).toBe('no_usable_photos')
  })

  it('stay available after a HEAD request from a link scanner', async () => {
    await aStudent()
    const { url } = (await start()).json().data
    expect((await t.app.inject({ method: 'HEAD', url })).statusCode).toBe(404)
    expect((await t.app.inject({ url })).statusCode).toBe(200)
  })

  it('in a download whose server was killed are marked as stopped at the next start', async () => {
    await aStudent()
    const { id } = (await start()).json().data
    await t.db.updateTable('photoDownloads').set({ status: 'running' }).where('id', '=', id).execute()
    const restarted = await testApp({ sameDatabaseAs: t })
    await restarted.app.ready()
    await restarted.close()
    const { data } = (await staff.get(`/download-foto-mahasiswa/photo-downloads/${id}`)).json()
    expect(data).toMatchObject({ status: 'stopped', done: 0 })
  })

  it('are downloaded as contact sheets', async () => {
    const { url } = (await start({ kind: 'sheet' })).json().data
    const answer = await t.app.inject({ url })
    expect(answer.headers['content-type']).toBe('application/pdf')
    expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    expect(answer.rawPayload.subarray(-8).toString()).toContain('%%EOF')
  })

  it('missing from the store are left out and counted', async () => {
    const { applicant } = await aStudent()
    const { storageKey } = await t.db
      .selectFrom('applicants as a')
      .innerJoin('files as f', 'f.id', 'a.photoFileId')
      .select('f.storageKey')
      .where('a.accountId', '=', applicant.accountId)
      .executeTakeFirstOrThrow()
    await t.services.files.remove(storageKey)
    const { id, total, url } = (await start()).json().data
    expect(entriesOf((await t.app.inject({ url })).rawPayload).size).toBe(total - 1)
    await expect
      .poll(async () => (await staff.get(`/download-foto-mahasiswa/photo-downloads/${id}`)).json().data)
      .toMatchObject({ status: 'done', failed: 1 })
  })

  it('are refused with an unknown placeholder, an impossible size, or without a usable one', async () => {
    expect((await start({ template: '{nik}' })).json().errors).toHaveProperty('template')
    expect((await start({ template: '{npm' })).json().errors).toHaveProperty('template')
    expect((await start({ size: '9x9' })).json().errors).toHaveProperty('size')
    expect((await start({ size: '2400x2400px' })).json().code).toBe('no_usable_photos')
  })

  it("are in a file named by the university's day, not the UTC day", async () => {
    const { code } = await aStudent()
    t.clock.set('2026-11-20T18:30:00Z')
    const late = await asStaff(t, 'Panitia PMB')
    const answer = await late.post('/download-foto-mahasiswa/photo-downloads', { ...request, q: code })
    t.clock.set('2026-11-20T03:00:00Z')
    const { fileName } = await t.db
      .selectFrom('photoDownloads')
      .select('fileName')
      .where('id', '=', answer.json().data.id)
      .executeTakeFirstOrThrow()
    expect(fileName).toBe('foto-mahasiswa-2026-11-21.zip')
  })

  it("in other study programmes are left out of a limited role's download", async () => {
    const { programmes } = await academicOf(t)
    const clerk = await asWithPermissions(t, ['download-foto-mahasiswa'], { programmeIds: [programmes[1]!] })
    const answer = await clerk.post('/download-foto-mahasiswa/photo-downloads', request)
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'no_usable_photos'])
    const { id } = (await start()).json().data
    expect((await clerk.get(`/download-foto-mahasiswa/photo-downloads/${id}`)).statusCode).toBe(404)
  })
})
