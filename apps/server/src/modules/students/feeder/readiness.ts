import { type RawBuilder, sql } from 'kysely'
import { type FeederField, type FeederProblem, feederFieldRules, feederFields } from '#domain/students/feeder/fields.ts'

type Sql<T = unknown> = RawBuilder<T>

/** Students `s` of enrolled registrations `r`, joined with the tables that `readings` reads. */
export const feederStudents = sql`students s JOIN registrations r ON r.id = s.registration_id AND r.status = 'enrolled'
  JOIN applicants a ON a.id = r.applicant_id JOIN accounts u ON u.id = r.account_id
  JOIN waves w ON w.id = r.wave_id JOIN tracks t ON t.id = r.track_id JOIN entry_levels l ON l.id = r.entry_level_id
  JOIN study_programmes p ON p.id = s.programme_id
  LEFT JOIN religions g ON g.id = a.religion_id LEFT JOIN villages v ON v.id = a.village_id
  LEFT JOIN districts d ON d.id = a.district_id LEFT JOIN feeder_regions fr ON fr.region_code = d.code AND fr.active
  LEFT JOIN enrolment_data e ON e.registration_id = r.id LEFT JOIN feeder_corrections k ON k.registration_id = r.id`

const text = (value: Sql) => sql<string | null>`nullif(btrim((${value})::text), '')`
const day = (value: Sql) => sql<string | null>`to_char(${value}, 'YYYY-MM-DD')`
const localPhone = (value: Sql) => text(sql`regexp_replace(${value}, '^\\+62', '0')`)

/** Sum of the re-registration bills, waived parts included; 0 without a bill. */
const entryFee = sql`(SELECT coalesce(sum(b.total), 0) FROM bills b
  WHERE b.registration_id = r.id AND b.kind = 're_registration' AND b.status <> 'cancelled')`

/** Digits 7 to 12 of a NIK are the birth date as DDMMYY; for women, 40 is added to the day. */
const nikContradicts = sql<boolean>`(a.nik IS NOT NULL AND a.birth_date IS NOT NULL AND a.gender IS NOT NULL
  AND a.nik IS DISTINCT FROM k.checked_nik AND substr(a.nik, 7, 6) <>
    lpad((extract(day FROM a.birth_date)::int + CASE a.gender WHEN 'female' THEN 40 ELSE 0 END)::text, 2, '0')
      || to_char(a.birth_date, 'MMYY'))`

const isNotNew = sql<boolean>`(l.pddikti_registration_kind IS DISTINCT FROM '1')`

type Reading = {
  value: Sql<string | null>
  /** Whether a field that is required `sometimes` is required for this student. */
  required?: Sql<boolean>
  /** Problem of an empty field; `missing` by default. */
  absent?: Sql<string>
  contradicts?: Sql<boolean>
}

const ofParent = (who: 'father' | 'mother') => {
  const column = (name: string) => sql.ref(`e.${who}_${name}`)
  return {
    nik: { value: text(column('nik')), contradicts: sql<boolean>`(${column('nik')} = a.nik)` },
    birthDate: {
      value: day(column('birth_date')),
      contradicts: sql<boolean>`(${column('birth_date')} >= a.birth_date)`,
    },
    education: { value: text(column('education')) },
    occupation: { value: text(column('occupation')) },
    income: { value: text(column('income')) },
  } satisfies Record<string, Reading>
}
const father = ofParent('father')
const mother = ofParent('mother')

const readings: Record<FeederField, Reading> = {
  nim: { value: text(sql`s.npm`) },
  nama_mahasiswa: { value: text(sql`a.full_name`) },
  jenis_kelamin: { value: sql`CASE a.gender WHEN 'male' THEN 'L' WHEN 'female' THEN 'P' END` },
  tempat_lahir: { value: text(sql`a.birth_place`) },
  tanggal_lahir: { value: day(sql`a.birth_date`), contradicts: sql`(a.birth_date >= s.issued_at::date)` },
  // Identity cards also name belief outside the six religions (98); the register codes it as other (99).
  id_agama: { value: sql`CASE g.code WHEN '98' THEN '99' ELSE g.code END` },
  nik: { value: text(sql`a.nik`), contradicts: nikContradicts },
  nisn: { value: text(sql`a.nisn`) },
  kewarganegaraan: { value: text(sql`a.citizenship`) },
  kelurahan: { value: text(sql`v.name`) },
  id_wilayah: {
    value: text(sql`fr.code`),
    absent: sql`CASE WHEN d.id IS NULL THEN 'missing' ELSE 'unmapped' END`,
  },
  penerima_kps: { value: sql`CASE e.kps_recipient WHEN true THEN '1' WHEN false THEN '0' END` },
  nama_ibu_kandung: { value: text(sql`a.mother_name`) },
  id_jalur_daftar: { value: text(sql`t.pddikti_track_code`) },
  tanggal_daftar: { value: day(sql`s.issued_at AT TIME ZONE zone.of_days`) },
  id_pembiayaan: { value: text(sql`e.financing`) },
  biaya_masuk: { value: text(entryFee) },
  // A tax number of 16 digits is the NIK, which is sent as such.
  npwp: { value: sql`CASE WHEN length(e.tax_number) = 15 THEN e.tax_number::text END` },
  jalan: { value: text(sql`a.address`) },
  dusun: { value: text(sql`e.hamlet`) },
  rt: { value: text(sql`a.rt`) },
  rw: { value: text(sql`a.rw`) },
  kode_pos: { value: text(sql`a.postal_code`) },
  id_jenis_tinggal: { value: text(sql`e.residence`) },
  id_alat_transportasi: { value: text(sql`e.transport`) },
  telepon: { value: localPhone(sql`e.home_phone`) },
  handphone: { value: localPhone(sql`coalesce(a.phone, u.phone)`) },
  email: { value: text(sql`u.email`) },
  nomor_kps: { value: text(sql`e.kps_number`), required: sql`(e.kps_recipient IS TRUE)` },
  nik_ayah: father.nik,
  nama_ayah: { value: text(sql`a.father_name`) },
  tanggal_lahir_ayah: father.birthDate,
  id_pendidikan_ayah: father.education,
  id_pekerjaan_ayah: father.occupation,
  id_penghasilan_ayah: father.income,
  nik_ibu: mother.nik,
  tanggal_lahir_ibu: mother.birthDate,
  id_pendidikan_ibu: mother.education,
  id_pekerjaan_ibu: mother.occupation,
  id_penghasilan_ibu: mother.income,
  nama_wali: { value: text(sql`a.guardian_name`) },
  tanggal_lahir_wali: { value: day(sql`e.guardian_birth_date`) },
  id_pendidikan_wali: { value: text(sql`e.guardian_education`) },
  id_pekerjaan_wali: { value: text(sql`e.guardian_occupation`) },
  id_penghasilan_wali: { value: text(sql`e.guardian_income`) },
  // If the applicant described special needs in free text, staff choose the code.
  id_kebutuhan_khusus_mahasiswa: {
    value: sql`coalesce(k.special_needs_code::text, CASE WHEN ${text(sql`a.special_needs`)} IS NULL THEN '0' END)`,
    contradicts: sql`(k.special_needs_code = 0 AND ${text(sql`a.special_needs`)} IS NOT NULL)`,
  },
  id_kebutuhan_khusus_ayah: { value: sql`'0'::text` },
  id_kebutuhan_khusus_ibu: { value: sql`'0'::text` },
  id_jenis_daftar: { value: text(sql`l.pddikti_registration_kind`) },
  id_periode_masuk: { value: text(sql`w.semester_code`) },
  id_prodi: { value: text(sql`p.pddikti_id`) },
  sks_diakui: {
    value: text(sql`e.recognised_credits`),
    contradicts: sql`(NOT ${isNotNew} AND e.recognised_credits > 0)`,
  },
  id_perguruan_tinggi_asal: { value: text(sql`k.previous_university_id`), required: isNotNew },
  id_prodi_asal: { value: text(sql`k.previous_programme_id`), required: isNotNew },
}

/** The value of a field; `feederValues` computes it once per student. */
const valueOfField = (index: number) => sql<string | null>`fv.${sql.ref(`f${index}`)}`

/** SQL for the problem of a value. Report, list, dry run and sending all use it. */
function problemOf(name: FeederField, index: number) {
  const { required, most, length, pattern, codes } = feederFieldRules[name]
  const { required: isRequired = sql`true`, absent = sql`'missing'`, contradicts } = readings[name]
  const value = valueOfField(index)
  const cases = [
    ...(required === 'always' ? [sql`WHEN ${value} IS NULL THEN ${absent}`] : []),
    ...(required === 'sometimes' ? [sql`WHEN ${value} IS NULL AND ${isRequired} THEN ${absent}`] : []),
    ...(most ? [sql`WHEN char_length(${value}) > ${sql.lit(most)} THEN 'wrong_length'`] : []),
    ...(length
      ? [
          sql`WHEN char_length(${value}) <> ${sql.lit(length)} THEN 'wrong_length'`,
          sql`WHEN ${value} !~ '^[0-9]+$' THEN 'not_a_code'`,
        ]
      : []),
    ...(pattern ? [sql`WHEN ${value} !~ ${sql.lit(pattern)} THEN 'not_a_code'`] : []),
    ...(codes ? [sql`WHEN ${value} NOT IN (${sql.join(codes.map(sql.lit))}) THEN 'not_a_code'`] : []),
    ...(contradicts ? [sql`WHEN ${value} IS NOT NULL AND ${contradicts} THEN 'contradicts'`] : []),
  ]
  return cases.length > 0 ? sql<FeederProblem | null>`CASE ${sql.join(cases, sql` `)} END` : sql<null>`NULL::text`
}

/** OFFSET 0 keeps PostgreSQL from computing a value again at every use. */
const feederValues = (zone: Sql) => sql`CROSS JOIN LATERAL (SELECT ${zone}::text AS of_days) zone
  CROSS JOIN LATERAL (SELECT ${sql.join(
    feederFields.map((name, index) => sql`(${readings[name].value})::text AS ${sql.ref(`f${index}`)}`),
  )} OFFSET 0) fv`

/** Arrays, because PostgreSQL prepares the expressions of VALUES again for every student. */
const fieldRows = sql`unnest(${sql.lit(`{${feederFields.join(',')}}`)}::text[],
    ARRAY[${sql.join(feederFields.map((_, index) => valueOfField(index)))}]::text[],
    ARRAY[${sql.join(feederFields.map(problemOf))}]::text[]) WITH ORDINALITY AS x(field, value, problem, position)`

/** A row `ff` for each field of each student in `feederStudents`: position, field, value and problem. */
export const feederFieldsOfStudent = (zone: Sql) => sql`${feederValues(zone)}
  CROSS JOIN LATERAL (SELECT * FROM ${fieldRows}) ff`

/** Number of problems of a student, as `ready.count`. Cheaper than `feederReadiness`. */
export const feederProblemCount = (zone: Sql) => sql`${feederValues(zone)}
  CROSS JOIN LATERAL (SELECT ${sql.join(
    feederFields.map((name, index) => sql`((${problemOf(name, index)}) IS NOT NULL)::int`),
    sql` + `,
  )} AS count OFFSET 0) ready`

/** `ready` for a student: `count` of problems, and `problems` and `fields` (values) as objects by field. */
export const feederReadiness = (zone: Sql) => sql`${feederValues(zone)}
  CROSS JOIN LATERAL (SELECT count(x.problem)::int AS count,
      coalesce(jsonb_object_agg(x.field, x.problem) FILTER (WHERE x.problem IS NOT NULL), '{}') AS problems,
      jsonb_object_agg(x.field, x.value) AS fields
    FROM ${fieldRows}) ready`
