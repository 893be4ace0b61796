import { afterAll, beforeAll, expect, test } from 'vitest'
import { asStaff, testPassword } from '#server-test/actors.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t?.close())

let count = 0
const signUp = (phone: string) =>
  t.app.inject({
    method: 'POST',
    url: '/api/register',
    headers: { 'accept-language': 'id' },
    payload: {
      name: 'Nguyen Van An',
      email: `an${++count}@contoh.test`,
      phone,
      password: testPassword,
      password_confirmation: testPassword,
    },
  })

test.each([
  ['+65 9123 4567', '+6591234567'],
  ['+60 12-345 6789', '+60123456789'],
  ['+84 91 234 56 78', '+84912345678'],
  ['0065 9123 4567', '+6591234567'],
  ['0812 3456 7890', '+6281234567890'],
])('a foreign citizen signs up with %s', async (typed, phone) => {
  const answer = await signUp(typed)
  expect(answer.statusCode, answer.body).toBe(200)
  const account = await t.db
    .selectFrom('accounts')
    .select('phone')
    .where('id', '=', answer.json().user.id)
    .executeTakeFirst()
  expect(account?.phone).toBe(phone)
})

test.each(['+65 1234', '+999 12345678', '9123 4567', '+1 555 0100'])(
  '%s is refused beside its field',
  async (typed) => {
    const answer = await signUp(typed)
    expect([answer.statusCode, answer.json().errors.phone]).toEqual([
      422,
      [expect.stringContaining('kode negara lain')],
    ])
  },
)

test('the database refuses a number that is not in E.164', async () => {
  const { id } = await t.db.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
  for (const phone of ['081234567890', '+62', '+06512345678', '+1234567890123456'])
    await expect(t.db.updateTable('accounts').set({ phone }).where('id', '=', id).execute()).rejects.toThrow(/check/)
})

test("staff save an affiliate's number in E.164 form", async () => {
  const staff = await asStaff(t)
  const affiliate = { code: 'LN01', name: 'Mitra Singapura', kind: 'partner' }
  const added = await staff.post('/master/afiliator', { ...affiliate, phone: '+65 (9123) 4567' })
  expect(added.json().data?.phone, added.body).toBe('+6591234567')
  const refused = await staff.post('/master/afiliator', { ...affiliate, code: 'LN02', phone: '+65 1234 5' })
  expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['phone']])
})
