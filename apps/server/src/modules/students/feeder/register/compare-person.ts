import type { FeederRow } from './feeder-client.ts'

/** Fields compared between a student and a register record. */
export type Person = { nik: string; name: string; birthDate: string; motherName: string }

export type Comparison =
  | { kind: 'same'; feederStudentId: string }
  | { kind: 'other' }
  /** The records agree only in part; staff must decide. */
  | { kind: 'contradicts'; differs: string[] }

const plain = (value: unknown) =>
  String(value ?? '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Some calls return `17-08-2008` instead of `2008-08-17`. */
const dayOf = (value: unknown) =>
  String(value ?? '')
    .slice(0, 10)
    .replace(/^(\d{2})-(\d{2})-(\d{4})$/, '$3-$2-$1')

/**
 * Compares a student with a register record. The same person has the same NIK, name, date of birth and, if the register
 * knows it, mother's name. An equal NIK alone is not enough, as it may be a typing mistake.
 */
export function comparePerson({ nik, name, birthDate, motherName }: Person, row: FeederRow): Comparison {
  const theirNik = String(row.nik ?? '').replace(/\D/g, '')
  const theirMother = plain(row.nama_ibu_kandung ?? row.nama_ibu)
  const hasNik = theirNik === nik
  const hasName = plain(row.nama_mahasiswa) === plain(name)
  const hasBirthDate = dayOf(row.tanggal_lahir) === birthDate
  const hasMother = theirMother === '' ? undefined : theirMother === plain(motherName)
  const isNamesake = hasName && hasBirthDate
  const differs = [
    ...(hasNik ? [] : ['nik']),
    ...(hasName ? [] : ['nama_mahasiswa']),
    ...(hasBirthDate ? [] : ['tanggal_lahir']),
    ...(hasMother === false ? ['nama_ibu_kandung'] : []),
  ]
  if (hasNik) {
    if (differs.length > 0) return { kind: 'contradicts', differs }
    const id = row.id_mahasiswa
    return typeof id === 'string' && id !== ''
      ? { kind: 'same', feederStudentId: id }
      : { kind: 'contradicts', differs: ['id_mahasiswa'] }
  }
  // Same name and birthday can be two people. With the same mother, or without a NIK in the register, they may be one.
  if (isNamesake && hasMother !== false && (hasMother || theirNik === ''))
    return { kind: 'contradicts', differs: ['nik'] }
  return { kind: 'other' }
}
