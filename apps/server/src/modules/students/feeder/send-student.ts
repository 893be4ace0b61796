import { type FeederField, feederFieldRules, feederFields } from '#domain/students/feeder/fields.ts'
import { type Comparison, comparePerson } from './register/compare-person.ts'
import type { FeederClient, FeederRecord, FeederRow } from './register/feeder-client.ts'
import { alreadyThere, type FeederAct, FeederFailure } from './register/protocol.ts'

export type StudentFields = Record<string, string | null>

/** The register's records contradict the student's data; sending stops. */
export class FeederContradiction extends Error {
  readonly act: FeederAct
  readonly detail: string
  constructor(act: FeederAct, detail: string) {
    super(detail)
    this.act = act
    this.detail = detail
  }
}

export type Sent = {
  feederStudentId: string
  feederRegistrationId: string
  /** Whether the register already had both records. */
  found: boolean
}

/** The record for one of the two insert calls; leaves out empty fields. */
export function recordOf(call: 'biodata' | 'riwayat', fields: StudentFields): FeederRecord {
  return Object.fromEntries(
    feederFields.flatMap((name) => {
      const value = fields[name]
      if (value == null || !feederFieldRules[name].of.includes(call)) return []
      return [[name, feederFieldRules[name].number ? Number(value) : value]]
    }),
  )
}

const sameId = (one: unknown, other: unknown) => String(one ?? '').toLowerCase() === String(other ?? '').toLowerCase()
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

type Progress = {
  registrationId: string
  fields: StudentFields
  /** `id_mahasiswa` stored by an earlier attempt. */
  feederStudentId: string | null
  /**
   * Stores `id_mahasiswa` before the next call: a later attempt completes half a pair instead of inserting the person
   * twice.
   */
  onStudent: (feederStudentId: string) => Promise<void>
}

/**
 * Inserts a student into the register: first the person, then the studies. Looks each up before inserting it, so
 * repeating after a crash or a lost answer is safe.
 */
export async function sendStudent(client: FeederClient, universityId: string, progress: Progress): Promise<Sent> {
  const { registrationId, fields, onStudent } = progress
  const holders = await client.findStudies(registrationId, { nim: requiredField(fields, 'nim') })
  const knownPerson =
    (progress.feederStudentId && (await findKnown(client, progress, progress.feederStudentId))) ||
    (await findPerson(client, registrationId, fields))
  if (holders.some((row) => !sameId(row.id_mahasiswa, knownPerson))) throw contradiction(`nim ${fields.nim}`)
  const feederStudentId = knownPerson ?? (await addPerson(client, registrationId, fields))
  if (feederStudentId !== progress.feederStudentId) await onStudent(feederStudentId)
  const knownStudy = findStudy(await client.findStudies(registrationId, { id_mahasiswa: feederStudentId }), fields)
  return {
    feederStudentId,
    feederRegistrationId: knownStudy ?? (await addStudy(client, universityId, progress, feederStudentId)),
    found: knownPerson !== undefined && knownPerson !== progress.feederStudentId && knownStudy !== undefined,
  }
}

/** A field without which no student counts as ready; throws if it is empty. */
function requiredField(fields: StudentFields, name: FeederField): string {
  const value = fields[name]
  if (!value) throw new Error(`A student is sent without ${name}`)
  return value
}

const personOf = (fields: StudentFields) => ({
  nik: requiredField(fields, 'nik'),
  name: requiredField(fields, 'nama_mahasiswa'),
  birthDate: requiredField(fields, 'tanggal_lahir'),
  motherName: requiredField(fields, 'nama_ibu_kandung'),
})

/**
 * `id_mahasiswa` of an earlier attempt; undefined if the register no longer has it, such as a sandbox that was set up
 * again.
 */
async function findKnown(client: FeederClient, { registrationId, fields }: Progress, feederStudentId: string) {
  const [row] = await client.findPeople(registrationId, { id_mahasiswa: feederStudentId })
  return row && refuseContradiction([comparePerson(personOf(fields), row)])
}

/**
 * `id_mahasiswa` of the student, if any; throws a contradiction if a register record agrees with the student only in
 * part.
 */
async function findPerson(client: FeederClient, registrationId: string, fields: StudentFields) {
  const { nik, name, birthDate } = personOf(fields)
  const rows = [
    ...(await client.findPeople(registrationId, { nik })),
    ...(await client.findPeople(registrationId, { nama_mahasiswa: name, tanggal_lahir: birthDate })),
  ]
  return refuseContradiction(rows.map((row) => comparePerson(personOf(fields), row)))
}

function refuseContradiction(comparisons: Comparison[]) {
  const ids = new Set<string>()
  for (const found of comparisons) {
    if (found.kind === 'contradicts') throw new FeederContradiction('GetBiodataMahasiswa', found.differs.join(', '))
    if (found.kind === 'same') ids.add(found.feederStudentId)
  }
  if (ids.size > 1) throw new FeederContradiction('GetBiodataMahasiswa', 'id_mahasiswa')
  return [...ids][0]
}

async function addPerson(client: FeederClient, registrationId: string, fields: StudentFields) {
  const act = 'InsertBiodataMahasiswa'
  const answer = await client.insert(act, registrationId, recordOf('biodata', fields))
  const added = textOf((answer.data as FeederRow | null)?.id_mahasiswa)
  if (answer.error_code === 0 && added) return added
  if (answer.error_code === 0 || answer.error_code === alreadyThere) {
    const id = await findPerson(client, registrationId, fields)
    if (id) return id
    throw new FeederContradiction(act, answer.error_desc || 'id_mahasiswa')
  }
  throw new FeederFailure('refused', answer.error_desc || 'refused', { act, errorCode: answer.error_code })
}

/**
 * `id_registrasi_mahasiswa` of these studies, if any; throws a contradiction if the register has the number with
 * another programme or the programme with another number.
 */
function findStudy(rows: FeederRow[], fields: StudentFields) {
  const same = rows.find((row) => sameId(row.nim, fields.nim))
  const atProgramme = rows.find((row) => sameId(row.id_prodi, fields.id_prodi))
  if (same && textOf(same.id_prodi) && !sameId(same.id_prodi, fields.id_prodi)) throw contradiction('id_prodi')
  if (!same && atProgramme) throw contradiction(`nim ${String(atProgramme.nim ?? '')}`)
  return textOf(same?.id_registrasi_mahasiswa)
}
const contradiction = (detail: string) => new FeederContradiction('GetListRiwayatPendidikanMahasiswa', detail)

async function addStudy(client: FeederClient, universityId: string, { registrationId, fields }: Progress, id: string) {
  const act = 'InsertRiwayatPendidikanMahasiswa'
  const answer = await client.insert(act, registrationId, {
    id_mahasiswa: id,
    id_perguruan_tinggi: universityId,
    ...recordOf('riwayat', fields),
  })
  const added = textOf((answer.data as FeederRow | null)?.id_registrasi_mahasiswa)
  if (answer.error_code === 0 && added) return added
  if (answer.error_code === 0 || answer.error_code === alreadyThere) {
    const known = findStudy(await client.findStudies(registrationId, { id_mahasiswa: id }), fields)
    if (known) return known
  }
  throw new FeederFailure('refused', answer.error_desc || 'refused', { act, errorCode: answer.error_code })
}
