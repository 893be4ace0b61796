import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AccountRow } from '#domain/accounts/staff-endpoints.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { withTotp } from '#server-test/factories/accounts.ts'
import { aRegistration } from '#server-test/factories/admissions.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let admin: TestActor
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.reset()
  admin = await asStaff(t, 'Administrator', { name: 'Rina Admin' })
})

const base = '/settings/accounts'
const staffPermissions = ['settings-accounts-view', 'settings-accounts-update'] as const
const detail = async (actor: TestActor, { accountId }: { accountId: string }) =>
  (await actor.get(`${base}/${accountId}`)).json().data
const roleId = async (name: string) =>
  (await t.db.selectFrom('roles').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id

describe('the list of accounts', () => {
  const found = async (actor: TestActor, query: string) => {
    const answer = await actor.get(`${base}?per_page=100&${query}`)
    expect(answer.statusCode, answer.body).toBe(200)
    return (answer.json().data as AccountRow[]).map(({ name }) => name)
  }

  it('finds by name, e-mail address and phone number, from two characters', async () => {
    await asApplicant(t, { name: 'Quirina Zhafira', email: 'qz.unik@sekolah.example', phone: '+6281377712345' })
    for (const q of [
      'qu',
      'QUIRINA',
      'rina zh',
      'Zh',
      'qz.u',
      'unik@sekolah',
      '0813 7771',
      '081377712345',
      '+62813777',
      '7712345',
    ])
      expect([q, await found(admin, `q=${encodeURIComponent(q)}`)]).toEqual([q, ['Quirina Zhafira']])
    expect((await admin.get(`${base}?q=q`)).statusCode).toBe(422)
    expect(await found(admin, 'q=%25_')).toEqual([])
  })

  it('filters by role, kind, status, confirmed address, second factor, lock and open invitation', async () => {
    const keuangan = await asStaff(t, 'Keuangan', { name: 'Filter Keuangan' })
    const inactive = await asStaff(t, 'Keuangan', { name: 'Filter Nonaktif' })
    await t.db.updateTable('accounts').set({ active: false }).where('id', '=', inactive.accountId).execute()
    const applicant = await asApplicant(t, { name: 'Filter Pendaftar', emailVerified: false })
    const lockedUntil = new Date(Date.now() + 60_000)
    await t.db.updateTable('accounts').set({ lockedUntil }).where('id', '=', applicant.accountId).execute()
    await withTotp(t, keuangan)
    const invited = {
      name: 'Filter Undangan',
      email: 'filter@undangan.example',
      roleId: await roleId('Marketing'),
      language: 'id',
    }
    await admin.post(base, invited)
    const all = ['Filter Keuangan', 'Filter Nonaktif', 'Filter Pendaftar', 'Filter Undangan']
    const cases: [string, string[]][] = [
      ['', all],
      [`roleId=${await roleId('Keuangan')}`, ['Filter Keuangan', 'Filter Nonaktif']],
      ['kind=staff', ['Filter Keuangan', 'Filter Nonaktif', 'Filter Undangan']],
      ['kind=applicants', ['Filter Pendaftar']],
      ['active=false', ['Filter Nonaktif']],
      ['active=true', ['Filter Keuangan', 'Filter Pendaftar', 'Filter Undangan']],
      ['emailVerified=false', ['Filter Pendaftar', 'Filter Undangan']],
      ['twoFactor=true', ['Filter Keuangan']],
      ['locked=true', ['Filter Pendaftar']],
      ['invited=true', ['Filter Undangan']],
      ['kind=staff&active=true&twoFactor=false', ['Filter Undangan']],
    ]
    for (const [query, names] of cases) expect([query, await found(admin, `q=Filter&${query}`)]).toEqual([query, names])
    expect((await found(admin, 'q=Filter&sort=-name'))[0]).toBe('Filter Undangan')
    expect((await found(admin, 'q=Filter&sort=lastSignedInAt')).length).toBe(4)
  })

  it("masks applicants' contacts without permission to change accounts, and does not search by them", async () => {
    const applicant = await asApplicant(t, {
      name: 'Samar Wijaya',
      email: 'samar.w@rumah.example',
      phone: '+6281399900011',
    })
    const reader = await asWithPermissions(t, ['settings-accounts-view'])
    const [row] = (await reader.get(`${base}?q=Samar`)).json().data
    expect(row).toMatchObject({ email: 's•••@rumah.example', phone: '••••011' })
    expect((await detail(reader, applicant)).email).toBe('s•••@rumah.example')
    expect(await found(reader, 'q=samar.w')).toEqual([])
    expect(await found(reader, 'q=0813999000')).toEqual([])
    expect(await found(admin, 'q=samar.w')).toEqual(['Samar Wijaya'])
    const staff = await asStaff(t, 'Keuangan', { name: 'Terang Wijaya' })
    expect((await detail(reader, staff)).email).toBe(staff.email)
    const sheet = await reader.get(`${base}/export?format=csv&q=Samar`)
    expect(sheet.body).toContain('s•••@rumah.example')
    expect(sheet.body).not.toContain('samar.w')
  })

  it("exports the current filter in the reader's language", async () => {
    await asStaff(t, 'Keuangan', { name: 'Lembar Satu' })
    await asApplicant(t, { name: 'Lembar Dua' })
    const sheet = await admin.get(`${base}/export?format=csv&q=Lembar&kind=staff`, { 'accept-language': 'id' })
    expect(sheet.statusCode).toBe(200)
    expect(sheet.body).toContain('Terakhir masuk')
    expect(sheet.body).toContain('Lembar Satu')
    expect(sheet.body).not.toContain('Lembar Dua')
    await expect
      .poll(() =>
        t.db
          .selectFrom('exports')
          .select(['list', 'rows', 'filterWords'])
          .orderBy('startedAt', 'desc')
          .executeTakeFirst(),
      )
      .toEqual({ list: 'accounts', rows: 1, filterWords: expect.stringContaining('Jenis akun: Petugas') })
  })

  it('shows an actor limited to a study programme only its staff and applicants', async () => {
    const { applicant, academic, id } = await aRegistration(t, { status: 'paid' })
    const other = await asApplicant(t)
    const { programmeId } = await t.db
      .selectFrom('registrations')
      .select('programmeId')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const limited = await asWithPermissions(t, staffPermissions, { programmeIds: [programmeId!] })
    const colleague = await asWithPermissions(t, [], { programmeIds: [programmeId!] })
    const otherClerk = await asWithPermissions(t, [], {
      programmeIds: academic.programmes.filter((one) => one !== programmeId),
    })
    const ids = ((await limited.get(`${base}?per_page=100`)).json().data as AccountRow[]).map((row) => row.id)
    expect(ids.sort()).toEqual([applicant.accountId, colleague.accountId, limited.accountId].sort())
    for (const hidden of [other, otherClerk, admin]) {
      for (const path of ['', '/history', '/sessions'])
        expect((await limited.get(`${base}/${hidden.accountId}${path}`)).statusCode).toBe(404)
      expect((await limited.post(`${base}/${hidden.accountId}/deactivate`)).statusCode).toBe(404)
    }
    expect((await detail(limited, colleague)).role.limits).toHaveLength(1)
  })
})
