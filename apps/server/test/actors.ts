import crypto from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { applicantRole } from '#domain/access/applicant-role.ts'
import type { Language } from '#entities/define/language.ts'
import { hashPassword, startSession } from '#server/platform/access/authentication.ts'
import type { Db } from '#server/platform/database/database.ts'
import { aProfile } from './factories/applicants.ts'
import type { TestApp } from './test-app.ts'

export const testPassword = 'Rahasia-2026!'
let passwordHash: Promise<string> | undefined

type Headers = Record<string, string>
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type TestActor = {
  accountId: string
  email: string
  token: string
  get(url: string, headers?: Headers): Promise<LightMyRequestResponse>
  post(url: string, body?: unknown, headers?: Headers): Promise<LightMyRequestResponse>
  put(url: string, body?: unknown, headers?: Headers): Promise<LightMyRequestResponse>
  patch(url: string, body?: unknown, headers?: Headers): Promise<LightMyRequestResponse>
  delete(url: string, headers?: Headers): Promise<LightMyRequestResponse>
  /** Sends one file like a form. */
  upload(url: string, file: UploadedFile, fields?: Record<string, string>): Promise<LightMyRequestResponse>
}

export type UploadedFile = { name: string; type: string; bytes: Buffer; field?: string }

type AccountOptions = {
  name?: string
  email?: string
  language?: Language
  emailVerified?: boolean
  phone?: string
}

/** Allows URLs with and without /api. */
const withPrefix = (url: string) => (url.startsWith('/api/') || url.startsWith('/getImage') ? url : `/api${url}`)

export function actorWith(t: TestApp, account: { accountId: string; email: string; token: string }): TestActor {
  const send = (method: Method, url: string, body: unknown, headers: Headers = {}) =>
    t.app.inject({
      method,
      url: withPrefix(url),
      headers: { authorization: `Bearer ${account.token}`, ...headers },
      ...(body !== undefined && { payload: body as object }),
    })
  return {
    ...account,
    get: (url, headers) => send('GET', url, undefined, headers),
    post: (url, body, headers) => send('POST', url, body, headers),
    put: (url, body, headers) => send('PUT', url, body, headers),
    patch: (url, body, headers) => send('PATCH', url, body, headers),
    delete: (url, headers) => send('DELETE', url, undefined, headers),
    upload(url, file, fields = {}) {
      const { body, contentType } = multipartBody(file, fields)
      return send('POST', url, body, { 'content-type': contentType })
    },
  }
}

export function multipartBody(file: UploadedFile, fields: Record<string, string> = {}) {
  const boundary = `pmb${crypto.randomUUID()}`
  const head = Object.entries(fields)
    .map(([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')
  const part = `--${boundary}\r\ncontent-disposition: form-data; name="${file.field ?? 'file'}"; filename="${file.name}"\r\ncontent-type: ${file.type}\r\n\r\n`
  return {
    body: Buffer.concat([Buffer.from(head + part), file.bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  }
}

async function addAccount(t: TestApp, roleId: string, options: AccountOptions) {
  passwordHash ??= hashPassword(testPassword)
  const email = options.email ?? `${crypto.randomUUID().slice(0, 12)}@example.com`
  const now = t.clock.now()
  const { id: accountId } = await t.db
    .insertInto('accounts')
    .values({
      name: options.name ?? 'Sari Wulandari',
      email,
      emailVerifiedAt: options.emailVerified === false ? null : now,
      phone: options.phone ?? '+6281200000000',
      passwordHash: await passwordHash,
      roleId,
      language: options.language ?? 'en',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { token } = await startSession(t.db, accountId, { now })
  return actorWith(t, { accountId, email, token })
}

const roleNamed = async (db: Db, name: string) =>
  (await db.selectFrom('roles').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id

/** An account with the role Mahasiswa; `profile: true` adds a complete profile. */
export async function asApplicant(
  t: TestApp,
  { profile = false, ...options }: AccountOptions & { profile?: boolean } = {},
) {
  const actor = await addAccount(t, await roleNamed(t.db, applicantRole), options)
  if (profile) await aProfile(t, actor.accountId)
  return actor
}

export const asStaff = async (t: TestApp, role = 'Administrator', options: AccountOptions = {}) =>
  addAccount(t, await roleNamed(t.db, role), { name: `Petugas ${role}`, ...options })

type TestScope = { programmeIds?: readonly string[]; facultyIds?: readonly string[] }

/** An account whose role holds exactly these permissions, limited to `scope`. */
export async function asWithPermissions(
  t: TestApp,
  slugs: readonly string[],
  scope: TestScope = {},
  options: AccountOptions = {},
) {
  const { id: roleId } = await t.db
    .insertInto('roles')
    .values({ name: `Test ${crypto.randomUUID()}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (slugs.length > 0)
    await t.db
      .insertInto('rolePermissions')
      .values(slugs.map((permission) => ({ roleId, permission })))
      .execute()
  const limits = [
    ...(scope.facultyIds ?? []).map((facultyId) => ({ roleId, facultyId })),
    ...(scope.programmeIds ?? []).map((programmeId) => ({ roleId, programmeId })),
  ]
  if (limits.length > 0) await t.db.insertInto('roleScopes').values(limits).execute()
  return addAccount(t, roleId, options)
}
