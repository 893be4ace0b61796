import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applicantRole } from '#domain/access/applicant-role.ts'
import { defaultRoles } from '#domain/access/roles.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { aRegistration } from '#server-test/factories/admissions.ts'
import { readersOf } from '#server-test/readers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const base = '/settings/accounts'
const staffPermissions = ['settings-accounts-view', 'settings-accounts-update'] as const
const roleId = async (name: string) =>
  (await t.db.selectFrom('roles').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
const { accountOf } = readersOf(() => t)
const rowOf = ({ accountId }: { accountId: string }) => accountOf(accountId)
async function change(actor: TestActor, other: TestActor, changes: object) {
  const { version, name, language, requireTotp, roleId } = await rowOf(other)
  return actor.put(`${base}/${other.accountId}`, { version, name, language, requireTotp, roleId, ...changes })
}

describe('a role limited to study programmes', () => {
  const permissions = [
    ...staffPermissions,
    'settings-accounts-create',
    ...(defaultRoles.find(({ name }) => name === applicantRole)?.permissions ?? []),
  ]

  it('manages its applicants and its staff, and assigns them roles within its own limits', async () => {
    const { applicant, academic } = await aRegistration(t, { status: 'paid' })
    const [own, other] = academic.programmes
    const clerk = await asWithPermissions(t, permissions, { programmeIds: [own] })
    expect((await clerk.post(`${base}/${applicant.accountId}/password-reset`)).statusCode).toBe(200)
    const colleague = await asWithPermissions(t, ['pendaftaran-view'], { programmeIds: [own] })
    for (const wide of [
      await asWithPermissions(t, []),
      await asWithPermissions(t, [], { programmeIds: [own, other] }),
    ]) {
      const { roleId: wideRole } = await rowOf(wide)
      const refused = await change(clerk, colleague, { roleId: wideRole })
      expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['roleId']])
      const { data } = (await clerk.get(`${base}/roles`)).json()
      expect(data.find(({ id }: { id: string }) => id === wideRole).refusal).toContain('study programmes')
    }
    const narrow = await asWithPermissions(t, [], { programmeIds: [own] })
    expect((await change(clerk, colleague, { roleId: (await rowOf(narrow)).roleId })).statusCode).toBe(200)
  })

  it('is not shown the owner of an address if it cannot see the account', async () => {
    const { academic } = await aRegistration(t, { status: 'paid' })
    const clerk = await asWithPermissions(t, permissions, { programmeIds: [academic.programmes[0]] })
    const hidden = await asStaff(t, 'Keuangan', { name: 'Tak Terlihat' })
    const { roleId: roleOfClerk } = await rowOf(clerk)
    const invitation = { name: 'Baru', email: hidden.email, roleId: roleOfClerk, language: 'id' }
    const refused = await clerk.post(base, invitation)
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['email']])
    expect(refused.body).not.toMatch(/Tak Terlihat|Keuangan/)
  })
})

describe('approval amounts of a role', () => {
  it('limit which roles its holders assign, unless they may set the amounts of all roles', async () => {
    const keuangan = defaultRoles.find(({ name }) => name === 'Keuangan')!.permissions
    const permissions = [...keuangan, ...staffPermissions]
    const colleague = await asWithPermissions(t, [])
    const roleOfFinance = { roleId: await roleId('Keuangan') }
    const helper = await asWithPermissions(t, permissions)
    const refused = await change(helper, colleague, roleOfFinance)
    expect(refused.json().errors.roleId[0]).toContain('approval limits')
    const manager = await asWithPermissions(t, [...permissions, 'settings-approval-limits'])
    expect((await change(manager, colleague, roleOfFinance)).statusCode).toBe(200)
  })
})
