import type { Localized } from '#entities/define/field.ts'

/** How one field is filled from somebody else's file. */
export type ProfileColumn = {
  /** Names the column may have in that file; letter case, spaces and `_` do not matter. */
  headers: readonly string[]
  /** What the file writes → what is understood: a choice, a code or a name. Letter case does not matter. */
  values?: Readonly<Record<string, string>>
  /** Changed in the text before it is understood, in this order; `pattern` as in RegExp, all occurrences, any case. */
  replace?: readonly { pattern: string; with: string }[]
  /** A name occurs in many places: the column that says which. `field` is the reference of the wanted row it must match. */
  within?: { headers: readonly string[]; field: string; replace?: readonly { pattern: string; with: string }[] }
  /** An optional reference that is not found stays empty instead of being a problem. */
  whenUnknown?: 'empty'
  /** Written when the cell is empty or the column missing, and the row is new. */
  otherwise?: string
}

/** A file of another system that is understood as it is. Data only: no functions. */
export type ImportProfile = {
  key: string
  entity: string
  label: Localized
  /** A file with all of these headers is taken for one of this kind. */
  recognisedBy: readonly string[]
  columns: Readonly<Record<string, ProfileColumn>>
  /** Columns that are known and not wanted: they are not told as unknown. */
  ignored?: readonly string[]
}

/** Lines that begin with `#` before the header are skipped in every file. */
export const importProfiles: readonly ImportProfile[] = [
  {
    key: 'schools-2019',
    entity: 'sma-nama',
    label: { en: 'List of schools of 2019', id: 'Daftar sekolah 2019' },
    recognisedBy: ['npsn', 'nama', 'bentuk', 'kab_kota'],
    columns: {
      npsn: { headers: ['npsn'] },
      name: { headers: ['nama'] },
      schoolTypeId: { headers: ['bentuk'] },
      status: { headers: ['status'] },
      cityId: {
        headers: ['kab_kota'],
        replace: [{ pattern: '^Kab\\.\\s*', with: 'Kabupaten ' }],
        within: { headers: ['provinsi'], field: 'provinceId' },
      },
      districtId: { headers: ['kecamatan'], whenUnknown: 'empty' },
      address: { headers: ['alamat'] },
    },
    ignored: ['dapodik_kode_prov', 'dapodik_kode_kab', 'dapodik_kode_kec', 'lat', 'lng'],
  },
]
