import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { definitionOf } from '#domain/body-check.ts'
import type { Endpoint } from '#domain/endpoint.ts'
import { createSchema, updateSchema } from '#entities/define/schema.ts'
import { entities } from '#entities/index.ts'
import { asApplicant, asStaff, testPassword } from '#server-test/actors.ts'
import { anOpenSurvey, aResponse, sendResponses } from '#server-test/factories/surveys.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

/** A name as an attacker types it: text after the override is drawn from right to left. */
const typed = '\u202eSiti\u200b Ayu\u00ad\u202c'
const clean = 'Siti Ayu'

/** Paths of fields for names, titles, labels and places in a schema, with the schema of each. */
function nameFields(schema: z.ZodType, at = ''): [string, z.ZodType][] {
  const { type, shape = {}, innerType, element, valueType, options = [], in: input, out: output } = definitionOf(schema)
  if (type === 'string')
    return /(name|title|label|place|holder|school|major|location|group|broughtBy|sponsor|nama)$/i.test(
      at.replace(/\.(en|id)$/, ''),
    )
      ? [[at, schema]]
      : []
  const inner = [innerType, element, valueType, input, output, ...options].filter((one) => one !== undefined)
  return [
    ...inner.flatMap((one) => nameFields(one, at)),
    ...Object.entries(shape).flatMap(([key, one]) => nameFields(one, `${at}.${key}`)),
  ]
}

async function declaredEndpoints(): Promise<Endpoint[]> {
  const root = path.resolve(import.meta.dirname, '../../../../packages/domain/src')
  const files = fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /endpoints?\.ts$/.test(file) && file.includes('/'))
  const modules = await Promise.all(files.map((file) => import(path.join(root, file))))
  return modules
    .flatMap((one) => Object.values(one))
    .filter((one): one is Endpoint => (one as Endpoint)?.method !== undefined)
}

test('every declared name field drops invisible characters', async () => {
  const bodies = [
    ...(await declaredEndpoints()).map(({ method, path: url, body }) => [`${method} ${url}`, body] as const),
    ...entities.flatMap((entity) => [
      [`POST ${entity.slug}`, createSchema(entity)] as const,
      [`PUT ${entity.slug}`, updateSchema(entity)] as const,
    ]),
  ]
  const fields = bodies.flatMap(([call, body]) =>
    body ? nameFields(body as z.ZodType).map(([at, field]) => [`${call} ${at}`, field] as const) : [],
  )
  expect(fields.length).toBeGreaterThan(100)
  const forgotten = fields.filter(([, field]) => {
    const parsed = field.safeParse(typed)
    return parsed.success && parsed.data !== clean
  })
  expect(forgotten.map(([at]) => at)).toEqual([])
})

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t?.close())

test('an applicant who signs up under such a name is shown by its visible characters', async () => {
  const email = 'siti.ayu@contoh.test'
  const answer = await t.app.inject({
    method: 'POST',
    url: '/api/register',
    payload: { name: typed, email, phone: '081234567890', password: testPassword, password_confirmation: testPassword },
  })
  expect(answer.json().user.name).toBe(clean)
})

test('a name without visible characters is refused beside its field', async () => {
  const answer = await t.app.inject({
    method: 'POST',
    url: '/api/register',
    payload: {
      name: '\u202e\u200b',
      email: 'x@contoh.test',
      phone: '081234567890',
      password: testPassword,
      password_confirmation: testPassword,
    },
  })
  expect(answer.json().errors).toMatchObject({ name: [expect.any(String)] })
})

test('names from a profile and from a survey contact are clean', async () => {
  const sari = await asApplicant(t, { profile: true })
  const profile = (await sari.get('/auth/my-profile')).json().data
  expect((await sari.put('/auth/my-profile', { version: profile.version, fullName: typed })).statusCode).toBe(200)
  expect((await sari.get('/auth/my-profile')).json().data.fullName).toBe(clean)

  const staff = await asStaff(t)
  const { slug } = await anOpenSurvey(t, staff)
  const contact = { name: typed, phone: '081234567891', email: '', birthDate: '', consent: true }
  const sent = await sendResponses(t, slug, [aResponse(t, { plan: 'study', contact })])
  expect(sent.json().data[0]).toMatchObject({ outcome: 'stored' })
  const lead = await t.db.selectFrom('leads').select('name').where('phone', '=', '+6281234567891').executeTakeFirst()
  expect(lead?.name).toBe(clean)
})
