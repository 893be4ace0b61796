/** Identity numbers and the mother's name, by which banks identify people. */
const identityFields = ['nik', 'nisn', 'motherName'] as const

/** What the campus system can learn about a student, in the order a mapping starts with. */
export const campusFields = [
  ...(['npm', 'name', 'programmeCode', 'programme', 'faculty', 'level', 'classProgramme'] as const),
  ...(['academicYear', 'wave', 'track', 'issuedAt', 'code', 'gender', 'birthPlace', 'birthDate'] as const),
  ...(['citizenship', 'religion', 'email', 'phone', 'address', 'postalCode'] as const),
  ...identityFields,
] as const
export type CampusField = (typeof campusFields)[number]

export const isIdentityField = (field: CampusField) => (identityFields as readonly string[]).includes(field)

/** A column of the CSV: a field under a heading. */
export type CampusColumn = { field: CampusField; heading: string }

/** The mapping of a university that has not saved one. */
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
