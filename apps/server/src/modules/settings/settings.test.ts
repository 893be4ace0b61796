import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keysOf, type SettingsSection, settingsSectionNames } from '#domain/settings/sections.ts'
import { getSettings } from '#server/platform/settings.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { aRegistration } from '#server-test/factories/admissions.ts'
import { aPicture } from '#server-test/factories/applicants.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let admin: TestActor
beforeAll(async () => {
  t = await testApp()
  admin = await asStaff(t)
})
afterAll(() => t.close())

const read = async () => (await admin.get('/settings/general')).json().data
const entered: Record<string, string> = {
  address: 'Jalan Pelabuhan 7, Makassar 90111',
  email: 'pmb@usr.test',
  website: 'https://usr.test',
}
/** The saved values of a section; for the identity, the values a new university must enter. */
const sectionOf = async (section: SettingsSection) => {
  const { values, versions } = await read()
  return {
    ...Object.fromEntries(keysOf(section).map((key) => [key, values[key] === '' ? (entered[key] ?? '') : values[key]])),
    version: versions[section] as number,
  }
}
const sendLogo = (bytes: Buffer, name: string) =>
  admin.upload('/settings/general/logo', { name, type: 'image/png', bytes })
const save = (section: string, body: object) => admin.put(`/settings/general/${section}`, body)

describe('general settings', () => {
  test("of a new university have no one else’s address, and the product's name", async () => {
    const { values } = await read()
    expect(Object.fromEntries(keysOf('identity').map((key) => [key, values[key]]))).toEqual({
      ...{ universityName: 'PMB Online', universityShortName: 'PMB' },
      ...{ address: '', phone: '', email: '', website: '' },
    })
    expect((await t.app.inject('/api/branding')).json().data.name).toBe('PMB Online')
    const refused = await save('identity', { ...(await sectionOf('identity')), email: '' })
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['email']])
    expect((await save('identity', await sectionOf('identity'))).statusCode).toBe(200)
  })

  test('saves one section, applies it at once, and records its previous values', async () => {
    const before = await read()
    const identity = await sectionOf('identity')
    const answer = await save('identity', { ...identity, universityName: 'Universitas Samudra Raya' })
    expect(answer.statusCode).toBe(200)
    expect(answer.json().data.versions).toEqual({ ...before.versions, identity: before.versions.identity + 1 })
    expect((await getSettings(t.db)).universityName).toBe('Universitas Samudra Raya')
    expect((await t.app.inject('/api/branding')).json().data.name).toBe('Universitas Samudra Raya')
    const entry = await t.db
      .selectFrom('auditLog')
      .selectAll()
      .where('action', '=', 'settings.update')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({
      subjectType: 'settings',
      subjectId: 'identity',
      before: { universityName: before.values.universityName },
      after: { universityName: 'Universitas Samudra Raya' },
      actorId: admin.accountId,
    })
  })

  test('a website address without https:// gets it', async () => {
    const identity = { ...(await sectionOf('identity')), website: 'univ.ac.id' }
    const answer = await save('identity', identity)
    expect([answer.statusCode, answer.json().data.values.website]).toEqual([200, 'https://univ.ac.id'])
  })

  test('the privacy notice shown at sign-up needs a new version once somebody has agreed to it', async () => {
    const saveNotice = async (en: string, consentVersion?: string) => {
      const section = await sectionOf('privacy')
      return save('privacy', {
        ...section,
        privacyNotice: { en, id: 'Kami menyimpan data Anda.' },
        ...(consentVersion && { consentVersion }),
      })
    }
    expect((await saveNotice('We keep your name.')).statusCode).toBe(200)
    const { consentVersion } = (await t.app.inject('/api/auth/options')).json().data
    await t.db.updateTable('accounts').set({ consentVersion }).where('id', '=', admin.accountId).execute()
    const refused = await saveNotice('We keep your name and phone number.')
    expect(refused.statusCode).toBe(422)
    expect(refused.json().errors.consentVersion[0]).toContain('new version')
    expect((await saveNotice('We keep your name and phone number.', '2027-1')).statusCode).toBe(200)
    expect((await t.app.inject('/api/auth/options')).json().data).toMatchObject({
      consentVersion: '2027-1',
      privacyNotice: { en: 'We keep your name and phone number.', id: 'Kami menyimpan data Anda.' },
    })
  })

  test('an edit of a stale version is refused and changes nothing', async () => {
    const identity = await sectionOf('identity')
    const both = await Promise.all([
      save('identity', { ...identity, phone: '021-1' }),
      save('identity', { ...identity, phone: '021-2' }),
    ])
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect(both.find(({ statusCode }) => statusCode === 409)!.json().code).toBe('stale_version')
  })

  test('saving equal values changes no version and records nothing', async () => {
    const identity = await sectionOf('identity')
    const count = () =>
      t.db
        .selectFrom('auditLog')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    const before = await count()
    expect((await save('identity', identity)).json().data.versions.identity).toBe(identity.version)
    expect(await count()).toEqual(before)
  })

  test('every wrong value is named beside its field', async () => {
    const identity = await sectionOf('identity')
    const answer = await save('identity', { ...identity, universityName: '', email: 'nobody', website: 'ftp://x' })
    expect(answer.statusCode).toBe(422)
    expect(Object.keys(answer.json().errors).sort()).toEqual(['email', 'universityName', 'website'])
    expect((await save('identity', { version: identity.version })).statusCode).toBe(422)
    expect((await save('place', { timeZone: 'Europe/Paris', version: 0 })).statusCode).toBe(422)
  })

  test('an invalid share is refused beside its field', async () => {
    const enrolment = await sectionOf('enrolment')
    const wrong = { enrolmentUnlock: 'paid-in-full', enrolmentUnlockShare: 0, cardShare: 101, promiseUnlocks: null }
    const answer = await save('enrolment', { ...enrolment, ...wrong })
    expect(answer.statusCode).toBe(422)
    expect(Object.keys(answer.json().errors).sort()).toEqual(Object.keys(wrong).sort())
    for (const cardShare of [-1, 12.5, null])
      expect(Object.keys((await save('enrolment', { ...enrolment, cardShare })).json().errors)).toEqual(['cardShare'])
    expect((await save('enrolment', { ...enrolment, cardShare: 0 })).statusCode).toBe(200)
  })

  test('without the permission to change, reading works and saving does not; without both, neither', async () => {
    const reader = await asWithPermissions(t, ['settings-general-view'])
    const nobody = await asWithPermissions(t, [])
    expect((await reader.get('/settings/general')).statusCode).toBe(200)
    expect((await nobody.get('/settings/general')).statusCode).toBe(403)
    for (const section of settingsSectionNames)
      expect((await reader.put(`/settings/general/${section}`, {})).statusCode).toBe(403)
    expect((await reader.delete('/settings/general/logo')).statusCode).toBe(403)
  })

  test('a stored value that became invalid falls back to its default, and the other values stay', async () => {
    await t.db.insertInto('settings').values({ key: 'timeZone', value: '"Mars/Base"' }).execute()
    const settings = await getSettings(t.db)
    expect(settings.timeZone).toBe('Asia/Jakarta')
    expect(settings.universityName).toBe('Universitas Samudra Raya')
    await t.db.deleteFrom('settings').where('key', '=', 'timeZone').execute()
  })
})

describe('number templates', () => {
  test('a new template shapes the next number', async () => {
    const numbers = await sectionOf('numbers')
    const answer = await save('numbers', { ...numbers, registrationNumber: 'PMB-{YY}-{SEQ:4}' })
    expect(answer.statusCode).toBe(200)
    expect((await aRegistration(t)).code).toMatch(/^PMB-\d{2}-0001$/)
  })

  test('every wrong template is refused beside its field', async () => {
    const numbers = await sectionOf('numbers')
    const answer = await save('numbers', { ...numbers, billNumber: 'INV-{SEQ:6}', studentNumber: '{YY}{class}' })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors.billNumber[0]).toContain('{YYYY}')
    expect(answer.json().errors.studentNumber[0]).toContain('{class}')
  })

  test('a template that would issue numbers again is refused; an earlier template is accepted', async () => {
    const { code } = await aRegistration(t)
    const year = code.slice(4, 6)
    const clash = `PMB-${year}-{SEQ:3}`
    // The same text around the number continues the same counter.
    const same = await sectionOf('numbers')
    expect((await save('numbers', { ...same, registrationNumber: clash })).statusCode).toBe(200)
    const other = await sectionOf('numbers')
    const answer = await save('numbers', { ...other, registrationNumber: `PMB-${year}-0{SEQ:3}` })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors.registrationNumber[0]).toContain(code)
    const away = await sectionOf('numbers')
    expect((await save('numbers', { ...away, registrationNumber: 'X{YY}{SEQ:5}' })).statusCode).toBe(200)
    const back = await sectionOf('numbers')
    expect((await save('numbers', { ...back, registrationNumber: 'PMB-{YY}-{SEQ:4}' })).statusCode).toBe(200)
    const next = await aRegistration(t)
    expect(Number(next.code.slice(-4))).toBe(Number(code.slice(-4)) + 1)
  })
})

describe('looks', () => {
  test('a colour is on the page before its first paint, with shades of sufficient contrast', async () => {
    const answer = await save('look', { primaryColour: '#7A1FA2', version: 0 })
    expect(answer.statusCode).toBe(200)
    const { shades } = (await t.app.inject('/api/branding')).json().data
    expect(shades).toHaveLength(10)
    const { body, headers } = await t.app.inject('/sign-in')
    if (body.includes('</head>')) expect(body).toContain('<meta name="branding"')
    expect(headers['content-security-policy']).toContain("script-src 'self'")
  })

  test('grey and invalid colours are refused', async () => {
    for (const primaryColour of ['#808080', 'blue', '#12345'])
      expect((await save('look', { primaryColour, version: 1 })).json().errors.primaryColour).toHaveLength(1)
  })

  test('the logo is checked, is public at its address, and its old address ends', async () => {
    expect((await sendLogo(Buffer.from('<svg/>'), 'logo.svg')).statusCode).toBe(422)
    const tiny = await aPicture('png', { width: 40, height: 40 })
    expect((await sendLogo(tiny, 'logo.png')).statusCode).toBe(422)
    const picture = await aPicture('png', { width: 300, height: 300 })
    const { logoUrl } = (await sendLogo(picture, 'logo.png')).json().data
    const logo = await t.app.inject(logoUrl)
    expect(logo.statusCode).toBe(200)
    expect(logo.headers['content-type']).toBe('image/webp')
    expect(logo.headers['content-security-policy']).toContain('sandbox')
    const next = (await sendLogo(picture, 'logo.png')).json().data
    expect((await t.app.inject(logoUrl)).statusCode).toBe(404)
    expect((await admin.delete('/settings/general/logo')).json().data.logoUrl).toBeNull()
    expect((await t.app.inject(next.logoUrl)).statusCode).toBe(404)
  })

  test('PDFs have the new name and the logo', async () => {
    const identity = await sectionOf('identity')
    await save('identity', { ...identity, universityName: 'Universitas Kertas Baru' })
    const { id, applicant } = await aRegistration(t, { status: 'paid' })
    const paper = async (path: string) => (await applicant.get(path)).rawPayload.toString('latin1')
    const picturesIn = (pdf: string) => pdf.match(/\/Subtype \/Image/g)?.length ?? 0
    const paths = [`/pendaftaran/${id}/card.pdf`, '/account/data-sheet.pdf']
    const before = await Promise.all(paths.map(paper))
    await sendLogo(await aPicture('png', { width: 300, height: 300 }), 'logo.png')
    for (const [index, path] of paths.entries()) {
      const pdf = await paper(path)
      // The author is stored uncompressed, next to the drawn letterhead.
      expect(pdf).toContain('Universitas Kertas Baru')
      expect(picturesIn(pdf)).toBe(picturesIn(before[index]!) + 1)
    }
    expect((await applicant.get(`/pendaftaran/${id}/card.pdf?size=a6`)).statusCode).toBe(200)
  })
})

test('the nightly clean-up deletes messages after the configured time', async () => {
  const privacy = await sectionOf('privacy')
  expect((await save('privacy', { ...privacy, keepMessagesDays: 5 })).statusCode).toBe(422)
  expect((await save('privacy', { ...privacy, keepMessagesDays: 60 })).statusCode).toBe(200)
  const day = 86_400_000
  const message = (age: number) => ({
    accountId: admin.accountId,
    channel: 'inbox' as const,
    event: 'note',
    language: 'en' as const,
    subject: `${age}`,
    body: 'x',
    status: 'sent' as const,
    createdAt: new Date(Date.now() - age * day),
  })
  await t.db
    .insertInto('messages')
    .values([message(59), message(61)])
    .execute()
  const { cleanUpJob } = await import('#server/platform/clean-up.job.ts')
  await cleanUpJob.run(t.services, {})
  const left = await t.db.selectFrom('messages').select('subject').where('event', '=', 'note').execute()
  expect(left).toEqual([{ subject: '59' }])
})
