import { sql } from 'kysely'
import type { Services } from '#server/platform/services.ts'
import { alreadyThere, type FeederTransport } from './protocol.ts'

const university = {
  id_perguruan_tinggi: '5a8c1d2e-0f4b-4c6d-8e9f-0a1b2c3d4e5f',
  nama_perguruan_tinggi: 'Universitas Percontohan',
}
const demoToken = 'demo'

type Body = { token?: unknown; filter?: unknown; record?: unknown }
type Conditions = Record<string, string>
type StudyRecord = { id_mahasiswa?: string; nim?: string }

/** Conditions by column of a filter such as `nik = '35' and nama_mahasiswa = 'Siti'`. */
const conditionsIn = (filter: unknown): Conditions =>
  Object.fromEntries(
    [...String(filter ?? '').matchAll(/(\w+)\s*=\s*'((?:[^']|'')*)'/g)].map(([, column, value]) => [
      column!,
      value!.replaceAll("''", "'"),
    ]),
  )

/**
 * The register built into a demo installation. Keeps its records in tables of the product and answers in Neo Feeder's
 * protocol without the network.
 */
export const demoRegister = ({ db }: Services): FeederTransport => {
  const ok = (data: unknown) => ({ error_code: 0, error_desc: '', data })
  const refusal = (error_code: number, error_desc: string) => ({ error_code, error_desc, data: [] })

  const findPeople = async (conditions: Conditions) => {
    const { id_mahasiswa: id, ...fields } = conditions
    const found = await db
      .selectFrom('feederDemoStudents')
      .selectAll()
      .where(sql<boolean>`record @> ${JSON.stringify(fields)}::jsonb`)
      .$if(id !== undefined, (rows) => rows.where(sql<boolean>`id::text = ${id}`))
      .execute()
    return found.map((row) => ({ ...(row.record as object), id_mahasiswa: row.id }))
  }

  const findStudies = async ({ id_mahasiswa: id, nim }: Conditions) => {
    const found = await db
      .selectFrom('feederDemoRegistrations')
      .selectAll()
      .$if(id !== undefined, (rows) => rows.where(sql<boolean>`student_id::text = ${id}`))
      .$call((rows) => (nim === undefined ? rows : rows.where('npm', '=', nim)))
      .execute()
    return found.map((row) => ({ ...(row.record as object), id_registrasi_mahasiswa: row.id }))
  }

  async function addPerson(record: Conditions) {
    const { nik = '', nama_mahasiswa = '', tanggal_lahir = '' } = record
    if ((await findPeople({ nik, nama_mahasiswa, tanggal_lahir })).length > 0)
      return refusal(alreadyThere, 'Data sudah ada')
    const { id } = await db
      .insertInto('feederDemoStudents')
      .values({ record: JSON.stringify(record) })
      .returning('id')
      .executeTakeFirstOrThrow()
    return ok({ id_mahasiswa: id })
  }

  async function addStudy(record: StudyRecord) {
    const added = await db
      .insertInto('feederDemoRegistrations')
      .values({ studentId: String(record.id_mahasiswa), npm: String(record.nim), record: JSON.stringify(record) })
      .onConflict((conflicting) => conflicting.column('npm').doNothing())
      .returning('id')
      .executeTakeFirst()
    return added ? ok({ id_registrasi_mahasiswa: added.id }) : refusal(alreadyThere, 'NIM sudah ada')
  }

  async function answer(act: string, { token, filter, record }: Body) {
    if (act === 'GetToken') return ok({ token: demoToken })
    if (token !== demoToken) return refusal(100, 'Invalid Token')
    if (act === 'GetProfilPT') return ok([university])
    if (act === 'GetBiodataMahasiswa') return ok(await findPeople(conditionsIn(filter)))
    if (act === 'GetListRiwayatPendidikanMahasiswa') return ok(await findStudies(conditionsIn(filter)))
    return act === 'InsertBiodataMahasiswa' ? addPerson(record as Conditions) : addStudy(record as StudyRecord)
  }

  return async ({ act, ...body }) => ({ status: 200, text: JSON.stringify(await answer(act, body)) })
}
