import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicOf, aRegistration } from '#server-test/factories/admissions.ts'
import { aPdf, aPicture } from '#server-test/factories/applicants.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  t.clock.set('2026-11-20T03:00:00Z')
  staff = await asStaff(t, 'Panitia PMB')
})
afterAll(() => t?.close())

/** An applicant who drives, by default with a picture of the licence. */
async function aDriver({ expiresOn = '2030-01-01', scan = 'picture' as 'picture' | 'pdf' | null } = {}) {
  const { applicant, code, id } = await aRegistration(t, { status: 'submitted' })
  await applicant.put('/account/driving-licence', {
    drives: true,
    class: 'C',
    number: '123456789012',
    expiresOn: '2030-01-01',
    version: 0,
  })
  if (scan) {
    const file =
      scan === 'pdf'
        ? { name: 'sim.pdf', type: 'application/pdf', bytes: await aPdf() }
        : { name: 'sim.jpg', type: 'image/jpeg', bytes: await aPicture() }
    const sent = await applicant.upload('/account/driving-licence/scan', file)
    expect(sent.statusCode, sent.body).toBe(200)
  }
  await t.db.updateTable('drivingLicences').set({ expiresOn }).where('accountId', '=', applicant.accountId).execute()
  return { applicant, code, registrationId: id, path: `/sim-mahasiswa/${applicant.accountId}` }
}
const read = async (path: string) => (await staff.get(path)).json().data
const listed = async (query: string) =>
  ((await staff.get(`/sim-mahasiswa?per_page=200&${query}`)).json().data as { id: string }[]).map(({ id }) => id)

describe('a driving licence', () => {
  it.each([2_147_483_647, Number.MAX_SAFE_INTEGER])(
    'cannot be reviewed with version %i, which does not exist',
    async (version) => {
      const { path } = await aDriver()
      const refused = await staff.post(`${path}/review`, { version, verdict: 'approved' })
      expect([refused.statusCode, refused.json().code]).toEqual([409, 'stale_version'])
    },
  )

  it('is verified, then rejected with a reason the applicant can read, and sent again', async () => {
    const { applicant, path } = await aDriver()
    const { version } = await read(path)
    const verified = await staff.post(`${path}/review`, { version, verdict: 'approved' })
    expect(verified.json().data).toMatchObject({ state: 'approved', reviewedBy: expect.stringContaining('Petugas') })
    const refused = await staff.post(`${path}/review`, {
      version: verified.json().data.version,
      verdict: 'rejected',
      reason: 'blurred',
    })
    expect(refused.json().data).toMatchObject({ state: 'rejected', rejectReason: 'blurred' })
    expect((await applicant.get('/account/driving-licence')).json().data).toMatchObject({
      status: 'rejected',
      rejectReason: 'blurred',
    })
    const message = await t.db
      .selectFrom('messages')
      .select('body')
      .where('accountId', '=', applicant.accountId)
      .where('event', '=', 'document-rejected')
      .where('channel', '=', 'inbox')
      .executeTakeFirstOrThrow()
    expect(message.body).toContain('blurred or too dark')
    await applicant.upload('/account/driving-licence/scan', {
      name: 'sim.jpg',
      type: 'image/jpeg',
      bytes: await aPicture(),
    })
    expect(await read(path)).toMatchObject({ state: 'uploaded', rejectReason: null })
  })

  it('cannot be rejected without a reason, nor verified without a scan or after expiry', async () => {
    const { path } = await aDriver()
    const { version } = await read(path)
    expect((await staff.post(`${path}/review`, { version, verdict: 'rejected' })).statusCode).toBe(422)
    const bare = await aDriver({ scan: null })
    const withoutScan = await staff.post(`${bare.path}/review`, { version: 1, verdict: 'approved' })
    expect([withoutScan.statusCode, withoutScan.json().code]).toEqual([409, 'licence_scan_missing'])
    const old = await aDriver({ expiresOn: '2026-11-19' })
    const { version: oldVersion } = await read(old.path)
    const expired = await staff.post(`${old.path}/review`, { version: oldVersion, verdict: 'approved' })
    expect([expired.statusCode, expired.json().code]).toEqual([409, 'licence_expired'])
  })

  it('is reviewed once when two clerks review it at once', async () => {
    const { path } = await aDriver()
    const { version } = await read(path)
    const answers = await Promise.all(
      (['approved', 'rejected'] as const).map((verdict) =>
        staff.post(`${path}/review`, { version, verdict, reason: verdict === 'rejected' ? 'blurred' : null }),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  })

  it('is listed by validity and state', async () => {
    const [soon, expired, bare] = await Promise.all([
      aDriver({ expiresOn: '2027-01-19' }),
      aDriver({ expiresOn: '2026-11-19' }),
      aDriver({ scan: null }),
    ])
    const id = ({ applicant }: typeof soon) => applicant.accountId
    expect(await listed('validity=soon')).toEqual([id(soon)])
    expect(await listed('validity=expired')).toContain(id(expired))
    expect(await listed('validity=valid')).not.toContain(id(soon))
    expect(await listed('state=no_scan')).toContain(id(bare))
    expect(await listed(`q=${soon.code}`)).toEqual([id(soon)])
    const noDriver = await aRegistration(t, { status: 'submitted' })
    await noDriver.applicant.put('/account/driving-licence', { drives: false, version: 0 })
    expect(await listed('')).not.toContain(noDriver.applicant.accountId)
    expect((await staff.get(`/sim-mahasiswa/${noDriver.applicant.accountId}`)).statusCode).toBe(404)
  })

  it('is opened with an entry in the audit log; its number is masked for readers who may not review', async () => {
    const { applicant, path } = await aDriver({ scan: 'pdf' })
    expect((await staff.post(`${path}/scan`, {})).json().data).toMatchObject({ kind: 'pdf', url: null })
    const content = await staff.get(`${path}/scan/content`)
    expect(content.headers['content-disposition']).toContain('attachment')
    const looks = await t.db
      .selectFrom('auditLog')
      .select('actorId')
      .where('action', '=', 'driving-licence.view')
      .where('subjectId', '=', applicant.accountId)
      .execute()
    expect(looks).toEqual([{ actorId: staff.accountId }, { actorId: staff.accountId }])
    const reader = await asWithPermissions(t, ['sim-mahasiswa-view'])
    expect((await reader.get('/sim-mahasiswa?per_page=200')).body).not.toContain('123456789012')
    expect((await reader.get(path)).statusCode).toBe(403)
  })

  it('is visible to a limited role only in its study programmes', async () => {
    const { path } = await aDriver()
    const { programmes } = await academicOf(t)
    const clerk = await asWithPermissions(t, ['sim-mahasiswa-view', 'sim-mahasiswa-update'], {
      programmeIds: [programmes[1]!],
    })
    expect((await clerk.get('/sim-mahasiswa')).json().data).toEqual([])
    for (const answer of [
      await clerk.get(path),
      await clerk.post(`${path}/scan`, {}),
      await clerk.post(`${path}/review`, { version: 2, verdict: 'approved' }),
    ])
      expect(answer.statusCode).toBe(404)
  })
})
