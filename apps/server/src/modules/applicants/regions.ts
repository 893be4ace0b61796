import type { Kysely } from 'kysely'
import type { RegionLevel } from '#domain/applicants/endpoints.ts'
import { contains, type Db } from '#server/platform/database/database.ts'
import type { FieldErrors } from '#server/platform/errors.ts'

const parentColumn = {
  provinces: null,
  cities: 'provinceId',
  districts: 'cityId',
  villages: 'districtId',
} as const

type Region = { id: string; name: string; parentId: string | null; postalCode: string | null }

/** Lists active regions of a level. Districts and villages need `parentId`: there are 90,000 of them. */
export async function listRegions(db: Db, level: RegionLevel, parentId?: string, q?: string) {
  const parent = parentColumn[level]
  if (!parentId && (level === 'districts' || level === 'villages')) return []
  // TypeScript cannot type a query over a union of four tables whose parent columns differ.
  let query = (db as unknown as Kysely<any>)
    .selectFrom(level)
    .select([
      'id',
      'name',
      ...(parent ? [`${parent} as parentId`] : []),
      ...(level === 'villages' ? ['postalCode'] : []),
    ])
    .where('active', '=', true)
    .orderBy('name')
    .limit(1000)
  if (parent && parentId) query = query.where(parent, '=', parentId)
  if (q) query = query.where(contains('name', q))
  const rows = await query.execute()
  return rows.map((row): Region => ({ parentId: null, postalCode: null, ...(row as Pick<Region, 'id' | 'name'>) }))
}

type Address = {
  provinceId?: string | null | undefined
  cityId?: string | null | undefined
  districtId?: string | null | undefined
  villageId?: string | null | undefined
}

/** An error for each city, district or village that does not belong to the address's region one level up. */
export async function findRegionProblems(db: Db, address: Address): Promise<FieldErrors> {
  const { provinceId, cityId, districtId, villageId } = address
  const [city, district, village] = await Promise.all([
    cityId ? db.selectFrom('cities').select('provinceId').where('id', '=', cityId).executeTakeFirst() : null,
    districtId ? db.selectFrom('districts').select('cityId').where('id', '=', districtId).executeTakeFirst() : null,
    villageId ? db.selectFrom('villages').select('districtId').where('id', '=', villageId).executeTakeFirst() : null,
  ])
  return {
    ...(cityId && city?.provinceId !== provinceId && { cityId: 'region_mismatch' as const }),
    ...(districtId && district?.cityId !== cityId && { districtId: 'region_mismatch' as const }),
    ...(villageId && village?.districtId !== districtId && { villageId: 'region_mismatch' as const }),
  }
}
