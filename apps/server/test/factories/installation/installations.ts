import type { Opening } from '#domain/opening/endpoints.ts'
import type { TestActor } from '#server-test/actors.ts'
import { academicFixture } from '#server-test/factories/academic.ts'
import { aProvider, providerInput } from '#server-test/factories/providers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

/** A server without demo, mail and bank, on a new database. */
export async function newInstallation() {
  const t = await testApp({ config: { demo: false } })
  await t.db.deleteFrom('registrationOpening').execute()
  return t
}

export const setSettings = (t: TestApp, values: Record<string, unknown>) =>
  t.db
    .insertInto('settings')
    .values(Object.entries(values).map(([key, value]) => ({ key, value: JSON.stringify(value) })))
    .onConflict((conflict) => conflict.column('key').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })))
    .execute()

export const identity = {
  universityName: 'Universitas Samudra Raya',
  universityShortName: 'USR',
  address: 'Jalan Pelabuhan 7, Makassar 90111',
  phone: '(0411) 555-0100',
  email: 'pmb@usr.test',
  website: 'https://usr.test',
}
export const privacyNotice = { en: 'We keep your data.', id: 'Kami menyimpan data Anda.' }

export const bankConnection = providerInput('xendit', {
  active: true,
  secrets: { secretKey: 'xnd-key', callbackToken: 'xnd-token' },
})

/** Adds everything required to open registration. */
export async function completeInstallation(t: TestApp) {
  const school = await academicFixture(t.db)
  await setSettings(t, { ...identity, privacyNotice })
  await aProvider(t, bankConnection)
  t.services.config.mail = { smtpUrl: 'smtp://mail.usr.example', from: 'PMB <pmb@usr.example>' }
  return school
}

export const openingOf = async (actor: TestActor) => (await actor.get('/settings/opening')).json().data as Opening
