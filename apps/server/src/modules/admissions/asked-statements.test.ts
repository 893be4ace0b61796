import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RegistrationStatus } from '#domain/admissions/registration-status.ts'
import { applicantActor, aRegistration, officerOf } from '#server-test/factories/admissions.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { readDashboard } from './dashboard.ts'
import { showRegistration } from './registrations/show-registration.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t?.close())

/** Runs `read` and returns the number of SQL statements it sent. */
async function statementsOf(read: (services: TestApp['services']) => Promise<unknown>): Promise<number> {
  let count = 0
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      count++
      return result
    },
  }
  await read({ ...t.services, db: t.services.db.withPlugin(counting) })
  return count
}

const statuses: RegistrationStatus[] = ['draft', 'submitted', 'paid', 'decided', 'confirmed', 'enrolled', 'withdrawn']

test.each(statuses)(
  'page and dashboard of a registration in status %s send at most two SQL statements',
  async (status) => {
    const registration = await aRegistration(t, { status })
    const officer = await officerOf(t)
    expect(await statementsOf((services) => showRegistration(services, officer, registration.id))).toBeLessThanOrEqual(
      2,
    )
    const applicant = applicantActor(registration.applicant.accountId)
    expect(await statementsOf((services) => readDashboard(services, applicant))).toBeLessThanOrEqual(2)
  },
)

test('a statement that one actor compiled answers the next by their own account and time', async () => {
  const [first, second] = [await aRegistration(t, { status: 'paid' }), await aRegistration(t, { status: 'submitted' })]
  for (const [own, other] of [
    [first, second],
    [second, first],
  ] as const) {
    const actor = applicantActor(own.applicant.accountId)
    const dashboard = await readDashboard(t.services, actor)
    expect(dashboard).toMatchObject({ kind: 'applicant', registrations: [{ id: own.id }] })
    expect(await showRegistration(t.services, actor, own.id)).toMatchObject({ id: own.id })
    await expect(showRegistration(t.services, actor, other.id)).rejects.toMatchObject({ status: 404 })
  }
})
