import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aRegistration } from '#server-test/factories/admissions.ts'
import { aPicture } from '#server-test/factories/applicants.ts'
import { now, read, step } from '#server-test/factories/registrations/registration-steps.ts'
import { pastTriggers, type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp

beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
})

afterAll(() => t?.close())
afterEach(() => t.clock.set(now))

describe('the registration card', () => {
  it('exists once the fee is settled; its code verifies it with initials only', async () => {
    const early = await aRegistration(t, { status: 'submitted' })
    expect((await early.applicant.get(`/pendaftaran/${early.id}/card.pdf`)).json().code).toBe('fee_not_settled')
    const { id, code, applicant } = await aRegistration(t, { status: 'paid' })
    const photo = await t.db
      .selectFrom('files as f')
      .innerJoin('applicants as a', 'a.photoFileId', 'f.id')
      .select('f.storageKey')
      .where('a.accountId', '=', applicant.accountId)
      .executeTakeFirstOrThrow()
    await t.services.files.put(photo.storageKey, await aPicture('webp'), 'image/webp')
    for (const size of ['a4', 'a6']) {
      const card = await applicant.get(`/pendaftaran/${id}/card.pdf?size=${size}&language=id`)
      expect(card.statusCode).toBe(200)
      expect(card.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    }
    const { cardCode } = await import('./registration-card.ts')
    const genuine = await t.app.inject({ url: `/api/verifikasi/${cardCode(t.services, code)}` })
    expect(genuine.json().data).toMatchObject({ kind: 'registration-card', code, state: 'valid' })
    expect(genuine.json().data.initials).toMatch(/^([\p{L}\d]\. ?)+$/u)
    const guessed = await t.app.inject({ url: `/api/verifikasi/${code}-00000000000000000000` })
    expect(guessed.statusCode).toBe(404)
    await step(applicant, id, 'withdraw', { reason: 'Pindah kota' })
    expect((await t.app.inject({ url: `/api/verifikasi/${cardCode(t.services, code)}` })).json().data.state).toBe(
      'void',
    )
  })
})

describe('the registration card for a share of the fee', () => {
  const share = (cardShare: number) =>
    t.db
      .insertInto('settings')
      .values({ key: 'cardShare', value: JSON.stringify(cardShare) })
      .onConflict((oc) => oc.column('key').doUpdateSet({ value: JSON.stringify(cardShare) }))
      .execute()
  const paying = async (id: string, paid: number) => {
    const status = paid > 0 ? 'partly_paid' : 'open'
    await pastTriggers(t, sql`UPDATE bills SET paid = ${paid}, status = ${status} WHERE registration_id = ${id}`)
    return t.db.selectFrom('bills').select('total').where('registrationId', '=', id).executeTakeFirstOrThrow()
  }
  afterEach(async () => {
    await t.db.deleteFrom('settings').where('key', '=', 'cardShare').execute()
  })

  it('exists once that share is paid; before, the missing amount is shown', async () => {
    const { id, code, applicant } = await aRegistration(t, { status: 'submitted' })
    const { total } = await paying(id, 0)
    const half = Math.ceil(total / 2)
    const { cardCode } = await import('./registration-card.ts')
    const state = async () => {
      const detail = await read(applicant, id)
      const { statusCode } = await applicant.get(`/pendaftaran/${id}/card.pdf`)
      const { state: cardState } = (await t.app.inject({ url: `/api/verifikasi/${cardCode(t.services, code)}` })).json()
        .data
      expect([statusCode === 200, cardState === 'valid']).toEqual([detail.cardReady, detail.cardReady])
      return [detail.cardReady, detail.untilCard]
    }
    expect(await state()).toEqual([false, total])
    await share(50)
    await paying(id, half - 1)
    expect(await state()).toEqual([false, 1])
    const [bill] = (await applicant.get(`/pendaftaran/${id}/bills`)).json().data.bills
    expect(bill.unlock).toEqual({ what: 'card', missing: 1 })
    await paying(id, half)
    expect(await state()).toEqual([true, 0])
    await paying(id, 0)
    expect(await state()).toEqual([false, half])
    await share(0)
    expect(await state()).toEqual([true, 0])
  })

  it('does not exist for a draft, nor after the registration ended', async () => {
    await share(0)
    const draft = await aRegistration(t)
    expect((await read(draft.applicant, draft.id)).cardReady).toBe(false)
    const ended = await aRegistration(t, { status: 'submitted' })
    await step(ended.applicant, ended.id, 'withdraw', { reason: 'Pindah kota' })
    expect((await read(ended.applicant, ended.id)).cardReady).toBe(false)
  })

  it('stays when the payment of a settled fee is reversed', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'paid' })
    await paying(id, 0)
    expect((await read(applicant, id)).cardReady).toBe(true)
  })
})
