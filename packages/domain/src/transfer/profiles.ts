import type { Localized } from '#entities/define/language.ts'

/** How a field is filled from another system's file. */
export type ProfileColumn = {
  /** Column headings in that file; letter case, spaces and `_` do not matter. */
  headers: readonly string[]
  /** Value in the file → value for the import: a choice, a code or a name. Letter case does not matter. */
  values?: Readonly<Record<string, string>>
  /** Replacements in the text before matching, in order; `pattern` is a RegExp, global, ignoring case. */
  replace?: readonly { pattern: string; with: string }[]
  /**
   * For names that occur in several places: the column with the place. `field` is the row's reference that must match
   * it.
   */
  within?: { headers: readonly string[]; field: string; replace?: readonly { pattern: string; with: string }[] }
  /** An optional reference without a match stays empty instead of causing a problem. */
  whenUnknown?: 'empty'
  /** Default for new rows if the cell is empty or the column missing. */
  otherwise?: string
}

/** Describes another system's files. Data only, no functions. */
export type ImportProfile = {
  key: string
  entity: string
  label: Localized
  /** A file with all these headings uses this profile. */
  recognisedBy: readonly string[]
  columns: Readonly<Record<string, ProfileColumn>>
  /** Known columns that are ignored instead of reported as unknown. */
  ignored?: readonly string[]
}

/** Cities and regencies that other lists spell differently or by an old name. */
const cityNames = {
  'Kabupaten Batang Hari': 'Kabupaten Batanghari',
  'Kabupaten Batubara': 'Kabupaten Batu Bara',
  'Kabupaten Bolaang Mongondaw': 'Kabupaten Bolaang Mongondow',
  'Kabupaten Bolaang Mongondaw Selatan': 'Kabupaten Bolaang Mongondow Selatan',
  'Kabupaten Bolaang Mongondaw Timur': 'Kabupaten Bolaang Mongondow Timur',
  'Kabupaten Bolaang Mongondaw Utara': 'Kabupaten Bolaang Mongondow Utara',
  'Kabupaten Fak-Fak': 'Kabupaten Fak Fak',
  'Kabupaten Gunung Kidul': 'Kabupaten Gunungkidul',
  'Kabupaten Humbang Hasudutan': 'Kabupaten Humbang Hasundutan',
  'Kabupaten Jaya Wijaya': 'Kabupaten Jayawijaya',
  'Kabupaten Karang Asem': 'Kabupaten Karangasem',
  'Kabupaten Kepulauan Morotai': 'Kabupaten Pulau Morotai',
  'Kabupaten Kepulauan Seribu': 'Kabupaten Administrasi Kepulauan Seribu',
  'Kabupaten Kepulauan Sitaro': 'Kabupaten Kepulauan Siau Tagulandang Biaro',
  'Kabupaten Kota Baru': 'Kabupaten Kotabaru',
  'Kabupaten Kuburaya': 'Kabupaten Kubu Raya',
  'Kabupaten Labuhan Batu': 'Kabupaten Labuhanbatu',
  'Kabupaten Labuhan Batu Selatan': 'Kabupaten Labuhanbatu Selatan',
  'Kabupaten Labuhan Batu Utara': 'Kabupaten Labuhanbatu Utara',
  'Kabupaten Lima Puluh Koto': 'Kabupaten Lima Puluh Kota',
  'Kabupaten Maluku Tenggara Barat': 'Kabupaten Kepulauan Tanimbar',
  'Kabupaten Mamuju Utara': 'Kabupaten Pasangkayu',
  'Kabupaten Memberamo Raya': 'Kabupaten Mamberamo Raya',
  'Kabupaten Membramo Tengah': 'Kabupaten Mamberamo Tengah',
  'Kabupaten Muko-muko': 'Kabupaten Mukomuko',
  'Kabupaten Nagakeo': 'Kabupaten Nagekeo',
  'Kabupaten Pangkajene Kepulauan': 'Kabupaten Pangkajene dan Kepulauan',
  'Kabupaten Rote-Ndao': 'Kabupaten Rote Ndao',
  'Kabupaten Toba Samosir': 'Kabupaten Toba',
  'Kabupaten Tojo Una-Una': 'Kabupaten Tojo Una Una',
  'Kabupaten Tolitoli': 'Kabupaten Toli-Toli',
  'Kota Baubau': 'Kota Bau Bau',
  'Kota Padang Sidimpuan': 'Kota Padangsidimpuan',
  'Kota Palangka Raya': 'Kota Palangkaraya',
  'Kota Pangkalpinang': 'Kota Pangkal Pinang',
  'Kota Sawah Lunto': 'Kota Sawahlunto',
  'Kota Tanjung Balai': 'Kota Tanjungbalai',
  'Kota Tanjungpinang': 'Kota Tanjung Pinang',
}

/** Names like `Kab. Kep. Sangihe` become the official ones, which are unique in the country. */
const city = {
  replace: [
    { pattern: '^Kab\\.\\s*', with: 'Kabupaten ' },
    { pattern: '\\bKep\\.\\s*', with: 'Kepulauan ' },
    { pattern: '^Kota (?:Adm\\.?\\s*)?Jakarta', with: 'Kota Administrasi Jakarta' },
  ],
  values: cityNames,
} as const

/** Lines starting with `#` before the header are skipped in every file. */
export const importProfiles: readonly ImportProfile[] = [
  {
    key: 'feeder-regions',
    entity: 'wilayah-feeder',
    label: { en: 'Neo Feeder regions with official codes', id: 'Wilayah Neo Feeder dengan kode resmi' },
    recognisedBy: ['id_wilayah_feeder', 'kode_kemendagri'],
    columns: {
      code: { headers: ['id_wilayah_feeder'] },
      name: { headers: ['nama_feeder'] },
      regionCode: {
        headers: ['kode_kemendagri', 'kode_bps'],
        replace: [
          { pattern: '^(\\d\\d)(\\d\\d)$', with: '$1.$2' },
          { pattern: '^(\\d\\d)(\\d\\d)(\\d\\d)$', with: '$1.$2.$3' },
        ],
      },
    },
    ignored: ['level', 'id_induk_feeder', 'match'],
  },
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
      cityId: { headers: ['kab_kota'], ...city },
      districtId: { headers: ['kecamatan'], whenUnknown: 'empty' },
      address: { headers: ['alamat'] },
    },
    ignored: ['provinsi', 'dapodik_kode_prov', 'dapodik_kode_kab', 'dapodik_kode_kec', 'lat', 'lng'],
  },
  {
    key: 'schools-ministry',
    entity: 'sma-nama',
    label: {
      en: 'Export of the ministry (referensi.data.kemdikbud.go.id)',
      id: 'Ekspor kementerian (referensi.data.kemdikbud.go.id)',
    },
    recognisedBy: ['npsn', 'nama', 'bentuk', 'status', 'kabupaten'],
    columns: {
      npsn: { headers: ['npsn'] },
      name: { headers: ['nama'] },
      schoolTypeId: { headers: ['bentuk'], replace: [{ pattern: '^SPK\\s+', with: '' }] },
      status: { headers: ['status'] },
      cityId: { headers: ['kabupaten'], ...city },
      districtId: {
        headers: ['kecamatan'],
        replace: [{ pattern: '^Kec\\.\\s*', with: '' }],
        whenUnknown: 'empty',
      },
      address: { headers: ['alamat'] },
    },
    ignored: ['jenis', 'jenjang', 'kelurahan', 'jalur', 'pembina'],
  },
]
