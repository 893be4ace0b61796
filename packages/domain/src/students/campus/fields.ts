/** Identity numbers and the mother's name, which banks use to identify people. */
const identityFields = ['nik', 'nisn', 'motherName'] as const

/** Everything the campus system can get about a student, in the default order. */
export const campusFields = [
  ...(['npm', 'name', 'programmeCode', 'programme', 'faculty', 'level', 'classProgramme'] as const),
  ...(['academicYear', 'wave', 'track', 'issuedAt', 'code', 'gender', 'birthPlace', 'birthDate'] as const),
  ...(['citizenship', 'religion', 'email', 'phone', 'address', 'postalCode'] as const),
  ...identityFields,
] as const
export type CampusField = (typeof campusFields)[number]

export const isIdentityField = (field: CampusField) => (identityFields as readonly string[]).includes(field)

/** A CSV column: a field under a heading. */
export type CampusColumn = { field: CampusField; heading: string }

/** Mapping used until a university saves its own. */
export const defaultCampusColumns: readonly CampusColumn[] = [
  { field: 'npm', heading: 'nim' },
  { field: 'name', heading: 'nama' },
  { field: 'programmeCode', heading: 'kode_prodi' },
  { field: 'programme', heading: 'prodi' },
  { field: 'classProgramme', heading: 'kelas' },
  { field: 'academicYear', heading: 'tahun_akademik' },
  { field: 'gender', heading: 'jenis_kelamin' },
  { field: 'birthPlace', heading: 'tempat_lahir' },
  { field: 'birthDate', heading: 'tanggal_lahir' },
  { field: 'email', heading: 'email' },
  { field: 'phone', heading: 'telepon' },
]
