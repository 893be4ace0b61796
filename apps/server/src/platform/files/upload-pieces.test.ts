import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { mostUploads, pieceBytes } from '#domain/uploads/pieces.ts'
import { asApplicant, type TestActor } from '#server-test/actors.ts'
import { aRegistration } from '#server-test/factories/admissions.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { localStore } from './file-store.ts'
import { forgetUploadsJob } from './forget-uploads.job.ts'

let t: TestApp
let sari: TestActor
let path1: string
let photo: Buffer
beforeAll(async () => {
  t = await testApp()
  const registration = await aRegistration(t, { status: 'paid' })
  sari = registration.applicant
  path1 = await slotOf(sari, registration.id)
  // Noise does not compress: three pieces.
  photo = await sharp(crypto.randomBytes(3 * 470 * 470), { raw: { width: 470, height: 470, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  expect(Math.ceil(photo.length / pieceBytes)).toBe(3)
})
afterAll(() => t.close())

async function slotOf(actor: TestActor, id: string) {
  const [slot] = (await actor.get(`/pendaftaran/${id}/files`)).json().data
  return `/pendaftaran/${id}/files/${slot.id}`
}
const sha256 = (bytes: Buffer) => crypto.createHash('sha256').update(bytes).digest('hex')
const begin = (actor: TestActor, bytes: Buffer, changes: object = {}) =>
  actor.post('/uploads', { name: 'rapor.png', bytes: bytes.length, sha256: sha256(bytes), ...changes })
const piece = (actor: TestActor, id: string, bytes: Buffer, from: number, app: TestApp = t) =>
  app.app.inject({
    method: 'POST',
    url: `/api/uploads/${id}/pieces?from=${from}`,
    headers: { authorization: `Bearer ${actor.token}`, 'content-type': 'application/octet-stream' },
    payload: bytes.subarray(from, from + pieceBytes),
  })
async function send(actor: TestActor, bytes: Buffer, changes: object = {}) {
  const { id } = (await begin(actor, bytes, changes)).json().data as { id: string }
  for (let from = 0; from < bytes.length; from += pieceBytes)
    expect((await piece(actor, id, bytes, from)).statusCode).toBe(200)
  return id
}
const rowOf = (id: string) => t.db.selectFrom('unfinishedUploads').selectAll().where('id', '=', id).executeTakeFirst()
const piecesFolder = () => path.join(t.services.config.dataDir, 'files', 'pieces')
const piecesOf = (id: string) => {
  const folder = piecesFolder()
  return fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.startsWith(id)) : []
}

test('a document arrives in pieces, is checked like the file of a form, and leaves no piece behind', async () => {
  const id = await send(sari, photo)
  expect(piecesOf(id)).toHaveLength(3)
  const answer = await sari.post(path1, { upload: id })
  expect(answer.statusCode, answer.body).toBe(200)
  expect(answer.json().data).toMatchObject({ status: 'uploaded', file: { name: 'rapor.jpg' } })
  expect(await rowOf(id)).toBeUndefined()
  expect(piecesOf(id)).toEqual([])
  expect((await sari.post(path1, { upload: id })).statusCode).toBe(404)
})

test('a second server goes on where the first stopped', async () => {
  const { id } = (await begin(sari, photo)).json().data
  await piece(sari, id, photo, 0)
  const other = await testApp({ sameDatabaseAs: t, config: { dataDir: t.services.config.dataDir } })
  try {
    const { received } = (
      await other.app.inject({ url: `/api/uploads/${id}`, headers: { authorization: `Bearer ${sari.token}` } })
    ).json().data
    expect(received).toBe(pieceBytes)
    expect((await piece(sari, id, photo, received, other)).json().data.received).toBe(2 * pieceBytes)
  } finally {
    await other.close()
  }
  await piece(sari, id, photo, 2 * pieceBytes)
  expect((await sari.post(path1, { upload: id })).statusCode).toBe(200)
})

test('two tabs that send the same piece at once both go on from the same place', async () => {
  const { id } = (await begin(sari, photo)).json().data
  const answers = await Promise.all([piece(sari, id, photo, 0), piece(sari, id, photo, 0)])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  expect(answers.find(({ statusCode }) => statusCode === 409)!.json()).toMatchObject({
    code: 'upload_place',
    data: { received: pieceBytes },
  })
})

test('two forms that name the same upload store its file once', async () => {
  const id = await send(sari, photo)
  const before = await documentsStored()
  const answers = await Promise.all([sari.post(path1, { upload: id }), sari.post(path1, { upload: id })])
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect([404, 409]).toContain(answers.find(({ statusCode }) => statusCode !== 200)!.statusCode)
  expect(await documentsStored()).toBe(before + 1)
})
const documentsStored = async () => {
  const { count } = await t.db
    .selectFrom('files')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('purpose', '=', 'document')
    .executeTakeFirstOrThrow()
  return Number(count)
}

test('a file chosen before the document changed does not replace the newer one', async () => {
  const registration = await aRegistration(t, { status: 'paid' })
  const { applicant } = registration
  const slot = await slotOf(applicant, registration.id)
  const chosenAt = (await applicant.get(`/pendaftaran/${registration.id}/files`)).json().data[0].version as number
  const old = await send(applicant, photo)
  const newer = await applicant.post(slot, { upload: await send(applicant, photo), fields: { version: `${chosenAt}` } })
  expect(newer.statusCode).toBe(200)
  const late = await applicant.post(slot, { upload: old, fields: { version: `${chosenAt}` } })
  expect([late.statusCode, late.json().code]).toEqual([409, 'document_changed'])
  const [now] = (await applicant.get(`/pendaftaran/${registration.id}/files`)).json().data
  expect([now.version, now.file.id]).toEqual([newer.json().data.version, newer.json().data.file.id])
  // Not known to be too late until the transaction, for a form too.
  const file = { name: 'rapor.png', type: 'image/png', bytes: photo }
  expect((await applicant.upload(slot, file, { version: `${chosenAt}` })).statusCode).toBe(409)
})

test('the key of a form in pieces is answered once, like that of any write', async () => {
  const id = await send(sari, photo)
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const first = await sari.post(path1, { upload: id }, headers)
  const second = await sari.post(path1, { upload: id }, headers)
  expect([first.statusCode, second.statusCode]).toEqual([200, 200])
  expect(second.headers['idempotency-replayed']).toBe('true')
})

describe('refused is', () => {
  test("another person's upload, as if it did not exist", async () => {
    const budi = await asApplicant(t, { profile: true })
    const { id } = (await begin(sari, photo)).json().data
    expect((await budi.get(`/uploads/${id}`)).statusCode).toBe(404)
    expect((await piece(budi, id, photo, 0)).statusCode).toBe(404)
    const registration = await aRegistration(t, { status: 'paid', applicant: budi })
    const complete = await send(sari, photo)
    const answer = await budi.post(await slotOf(budi, registration.id), { upload: complete })
    expect(answer.statusCode).toBe(404)
    expect((await rowOf(complete))!.usedSince).toBeNull()
  })

  test('a complete upload at a slot of somebody else', async () => {
    const budi = await asApplicant(t, { profile: true })
    expect((await budi.post(path1, { upload: await send(budi, photo) })).statusCode).toBe(404)
  })

  test('a piece at another place, and one of another length', async () => {
    const { id } = (await begin(sari, photo)).json().data
    expect((await piece(sari, id, photo, pieceBytes)).statusCode).toBe(409)
    expect((await piece(sari, id, photo, 7)).statusCode).toBe(409)
    expect((await piece(sari, id, photo.subarray(0, 1000), 0)).statusCode).toBe(422)
    expect((await piece(sari, id, photo, -1)).statusCode).toBe(422)
    expect((await sari.get(`/uploads/${id}`)).json().data.received).toBe(0)
  })

  test('a piece above 256 kB', async () => {
    const { id } = (await begin(sari, photo)).json().data
    const answer = await t.app.inject({
      method: 'POST',
      url: `/api/uploads/${id}/pieces?from=0`,
      headers: { authorization: `Bearer ${sari.token}`, 'content-type': 'application/octet-stream' },
      payload: photo.subarray(0, pieceBytes + 1),
    })
    expect(answer.statusCode).toBe(413)
  })

  test('a form that names an unfinished upload, which can then be finished', async () => {
    const { id } = (await begin(sari, photo)).json().data
    await piece(sari, id, photo, 0)
    const early = await sari.post(path1, { upload: id })
    expect([early.statusCode, early.json().data]).toEqual([409, { received: pieceBytes }])
    await piece(sari, id, photo, pieceBytes)
    await piece(sari, id, photo, 2 * pieceBytes)
    expect((await sari.post(path1, { upload: id })).statusCode).toBe(200)
  })

  test.each([
    ['a file that is not the announced one', () => photo, { sha256: '0'.repeat(64) }, /damaged/],
    ['a file above the limit of the slot', () => Buffer.alloc(6_000_000), { name: 'besar.pdf' }, /MB/],
    ['a kind that only its name claims', () => Buffer.alloc(300_000, '<html>'), { name: 'rapor.png' }, /PDF|JPG|PNG/],
  ])('%s, and its pieces are deleted', async (_situation, bytes, changes, sentence) => {
    const id = await send(sari, bytes(), changes)
    const answer = await sari.post(path1, { upload: id }, { 'accept-language': 'en' })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors.file).toEqual([expect.stringMatching(sentence)])
    expect(await rowOf(id)).toBeUndefined()
    expect(piecesOf(id)).toEqual([])
  })

  test('one upload too many, also when two begin at once', async () => {
    const budi = await asApplicant(t, { profile: true })
    for (let i = 1; i < mostUploads; i++) expect((await begin(budi, photo)).statusCode).toBe(200)
    const answers = await Promise.all([begin(budi, photo), begin(budi, photo)])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 429])
    const dian = await asApplicant(t, { profile: true })
    for (const expected of [200, 200, 429])
      expect((await begin(dian, photo, { bytes: 50_000_000 })).statusCode).toBe(expected)
    expect((await begin(dian, photo, { bytes: 50_000_001 })).statusCode).toBe(422)
  })
})

test('an upload whose pieces a restore lost is refused once, and a new one begins', async () => {
  const id = await send(sari, photo)
  for (const name of piecesOf(id)) fs.rmSync(path.join(piecesFolder(), name), { recursive: true })
  expect((await sari.post(path1, { upload: id })).statusCode).toBe(422)
  expect((await sari.get(`/uploads/${id}`)).statusCode).toBe(404)
})

test('an unfinished upload vanishes after a day, with its pieces', async () => {
  const { id } = (await begin(sari, photo)).json().data
  await piece(sari, id, photo, 0)
  t.clock.set(new Date(Date.now() + 86_400_000 + 60_000))
  try {
    // The session of the sender ends earlier than that, so only the rows are looked at.
    await forgetUploadsJob.run(t.services, {})
  } finally {
    t.clock.reset()
  }
  expect(await rowOf(id)).toBeUndefined()
  expect(piecesOf(id)).toEqual([])
})

const rejecting = () => Promise.reject(new Error('The store is away'))

test('an upload stays until its document is committed', async () => {
  const registration = await aRegistration(t, { status: 'paid' })
  const slot = await slotOf(registration.applicant, registration.id)
  const id = await send(registration.applicant, photo)
  await sql`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
    CREATE TRIGGER fail BEFORE UPDATE ON documents FOR EACH ROW EXECUTE FUNCTION fail()`.execute(t.owner)
  try {
    expect((await registration.applicant.post(slot, { upload: id })).statusCode).toBe(500)
  } finally {
    await sql`DROP TRIGGER fail ON documents; DROP FUNCTION fail()`.execute(t.owner)
  }
  expect((await rowOf(id))?.usedSince).toBeNull()
  expect(piecesOf(id)).toHaveLength(3)
  expect((await registration.applicant.post(slot, { upload: id })).statusCode).toBe(200)
  expect(await rowOf(id)).toBeUndefined()
})

test('an accepted file stays accepted when its pieces cannot be deleted, which the job then does', async () => {
  const id = await send(sari, photo)
  const remove = vi.spyOn(t.services.files, 'remove').mockImplementation(rejecting)
  try {
    expect((await sari.post(path1, { upload: id })).statusCode).toBe(200)
  } finally {
    remove.mockRestore()
  }
  expect((await rowOf(id))?.usedSince).toEqual(expect.any(Date))
  await ageUploads(id)
  await forgetUploadsJob.run(t.services, {})
  expect([await rowOf(id), piecesOf(id)]).toEqual([undefined, []])
})
const ageUploads = (...ids: string[]) =>
  t.owner
    .updateTable('unfinishedUploads')
    .set({ createdAt: new Date(Date.now() - 90_000_000) })
    .where('id', 'in', ids)
    .execute()

test('an upload that cannot be deleted does not hold up the others', async () => {
  const ids = [await send(sari, photo), await send(sari, photo), await send(sari, photo)].sort()
  await ageUploads(...ids)
  const { remove } = t.services.files
  const spy = vi
    .spyOn(t.services.files, 'remove')
    .mockImplementation((key) => (key.includes(ids[0]!) ? rejecting() : remove(key)))
  try {
    await forgetUploadsJob.run(t.services, {})
  } finally {
    spy.mockRestore()
  }
  expect(await Promise.all(ids.map(rowOf))).toEqual([expect.any(Object), undefined, undefined])
  await forgetUploadsJob.run(t.services, {})
  expect(await rowOf(ids[0]!)).toBeUndefined()
})

test('uploads in pieces count among the files that an account sends at a time', async () => {
  const id = await send(sari, photo)
  t.services.uploads.set(sari.accountId, t.services.config.uploads.perAccount)
  expect((await sari.post(path1, { upload: id })).json().code).toBe('too_many_uploads')
  t.services.uploads.delete(sari.accountId)
  expect((await sari.post(path1, { upload: id })).statusCode).toBe(200)
  expect(t.services.uploads.get(sari.accountId)).toBeUndefined()
})

test.each(['before', 'while'])(
  'a piece of an upload that is deleted %s the piece is stored leaves nothing',
  async (when) => {
    const { id } = (await begin(sari, photo)).json().data
    const { put } = t.services.files
    const spy = vi.spyOn(t.services.files, 'put').mockImplementationOnce(async (...args) => {
      if (when === 'before') await t.db.deleteFrom('unfinishedUploads').where('id', '=', id).execute()
      else await t.db.updateTable('unfinishedUploads').set({ usedSince: new Date() }).where('id', '=', id).execute()
      await put(...args)
    })
    try {
      expect((await piece(sari, id, photo, 0)).statusCode).toBe(404)
    } finally {
      spy.mockRestore()
    }
    expect(piecesOf(id)).toEqual([])
  },
)

test('abandoned uploads make room for a new one; those that go on stay', async () => {
  const budi = await asApplicant(t, { profile: true })
  const ids: string[] = []
  for (let i = 0; i < mostUploads; i++) ids.push((await begin(budi, photo)).json().data.id)
  expect((await begin(budi, photo)).statusCode).toBe(429)
  t.clock.set(new Date(Date.now() + 20 * 60_000))
  try {
    await piece(budi, ids[0]!, photo, 0)
    expect((await begin(budi, photo)).statusCode).toBe(200)
    expect((await begin(budi, photo, { bytes: 50_000_000 })).statusCode).toBe(200)
  } finally {
    t.clock.reset()
  }
  const left = (await Promise.all(ids.map(rowOf))).map(Boolean)
  expect(left.slice(0, 4)).toEqual([true, false, false, true])
})

test('the same key is stored by two requests at once', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-store-'))
  const store = localStore(folder)
  const bytes = Buffer.alloc(pieceBytes, 'x')
  await Promise.all(Array.from({ length: 20 }, () => store.put('pieces/a', bytes, 'text/plain')))
  expect(fs.readdirSync(path.join(folder, 'pieces'))).toEqual(['a'])
  expect((await store.bytes('pieces/a')).equals(bytes)).toBe(true)
  fs.rmSync(folder, { recursive: true })
})
