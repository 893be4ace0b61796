import type { Kysely } from 'kysely'
import { classProgrammes, degreeLevels, feeComponents } from '#server/modules/opening/starting-lists.ts'
import type { Db } from '#server/platform/database/database.ts'
import { helpQuestions } from './help-questions.ts'
import { markSeeded } from './seed.ts'

/** PDDikti codes. Identity cards have had an entry for beliefs outside the six religions since 2017. */
const religions = [
  ['1', 'Islam'],
  ['2', 'Kristen'],
  ['3', 'Katolik'],
  ['4', 'Hindu'],
  ['5', 'Buddha'],
  ['6', 'Konghucu'],
  ['98', 'Kepercayaan terhadap Tuhan YME'],
  ['99', 'Lainnya'],
].map(([code, name]) => ({ code, name }))

/** The 31 groups of the 2010 population census (BPS). */
const ethnicGroups = [
  'Suku asal Aceh',
  'Batak',
  'Nias',
  'Melayu',
  'Minangkabau',
  'Suku asal Jambi',
  'Suku asal Sumatera Selatan',
  'Suku asal Lampung',
  'Suku asal Sumatera lainnya',
  'Betawi',
  'Suku asal Banten',
  'Sunda',
  'Jawa',
  'Cirebon',
  'Madura',
  'Bali',
  'Sasak',
  'Suku Nusa Tenggara Barat lainnya',
  'Suku asal Nusa Tenggara Timur',
  'Dayak',
  'Banjar',
  'Suku asal Kalimantan lainnya',
  'Makassar',
  'Bugis',
  'Minahasa',
  'Gorontalo',
  'Suku asal Sulawesi lainnya',
  'Suku asal Maluku',
  'Suku asal Papua',
  'Tionghoa',
  'Asing/luar negeri',
].map((name) => ({ name }))

const generalMajors = ['MIPA', 'IPS', 'Bahasa dan Budaya', 'Umum (tanpa jurusan)']
const vocationalMajors = [
  'Agribisnis',
  'Akuntansi dan Keuangan Lembaga',
  'Bisnis Daring dan Pemasaran',
  'Desain Komunikasi Visual',
  'Desain Pemodelan dan Informasi Bangunan',
  'Farmasi',
  'Keperawatan',
  'Kimia Industri',
  'Kuliner',
  'Layanan Perbankan',
  'Manajemen Perkantoran',
  'Multimedia',
  'Nautika',
  'Perhotelan',
  'Rekayasa Perangkat Lunak',
  'Tata Busana',
  'Tata Kecantikan',
  'Teknik Elektronika',
  'Teknik Instalasi Tenaga Listrik',
  'Teknik Kendaraan Ringan',
  'Teknik Komputer dan Jaringan',
  'Teknik Mesin',
  'Teknik Pendingin dan Tata Udara',
  'Teknik Sepeda Motor',
  'Usaha Perjalanan Wisata',
  'Lainnya',
]

const schoolTypes: readonly { code: string; name: string; majors: readonly string[] }[] = [
  { code: 'SMA', name: 'SMA', majors: generalMajors },
  { code: 'SMK', name: 'SMK', majors: vocationalMajors },
  { code: 'MA', name: 'MA', majors: [...generalMajors, 'Keagamaan'] },
  { code: 'MAK', name: 'MAK', majors: vocationalMajors },
  { code: 'SMLB', name: 'SMLB', majors: ['Umum (tanpa jurusan)'] },
  { code: 'PAKET-C', name: 'Paket C', majors: ['IPA', 'IPS', 'Bahasa'] },
  { code: 'PONPES', name: 'Pondok pesantren', majors: ['Keagamaan', 'Umum (tanpa jurusan)'] },
  { code: 'LN', name: 'Sekolah luar negeri', majors: ['Umum (tanpa jurusan)'] },
]

/** Fills the lists every university starts with, once each: rows that staff delete stay deleted. */
export async function seedReference(db: Db): Promise<void> {
  const untypedDb = db as unknown as Kysely<any>
  const fill = (table: string, rows: readonly object[]) =>
    db.transaction().execute(async (tx) => {
      if ((await markSeeded(tx, [`list ${table}`])).size > 0)
        await (tx as unknown as Kysely<any>).insertInto(table).values(rows).execute()
    })
  await fill('religions', religions)
  await fill('ethnicGroups', ethnicGroups)
  await fill('degreeLevels', degreeLevels)
  await fill('classProgrammes', classProgrammes)
  await fill('feeComponents', feeComponents)
  await fill('helpQuestions', helpQuestions)
  await fill(
    'schoolTypes',
    schoolTypes.map(({ code, name }) => ({ code, name })),
  )
  const ids = new Map<string, string>(
    (await untypedDb.selectFrom('schoolTypes').select(['id', 'code']).execute()).map(({ id, code }) => [code, id]),
  )
  await fill(
    'schoolMajors',
    schoolTypes.flatMap(({ code, majors }) =>
      ids.has(code) ? majors.map((name) => ({ schoolTypeId: ids.get(code), name })) : [],
    ),
  )
}
