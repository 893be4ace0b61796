import { type Entity, permissionOf } from './define/entity.ts'
import { entities } from './index.ts'

/**
 * Entities offered as choices on module pages, by the permission that opens the page. Applicants also hold
 * `pendaftaran-view`, which offers only three entities, whose names are public anyway.
 */
const choicesByPermission: Readonly<Record<string, readonly string[]>> = {
  'pendaftaran-view': ['periode', 'jalur', 'prodi'],
  'berkas-mahasiswa-view': ['periode', 'prodi'],
  'pindah-prodi-view': ['periode', 'prodi'],
  'seleksi-view': ['periode', 'jalur', 'prodi', 'program'],
  'event-afiliator-create': ['sma-nama'],
  'event-afiliator-update': ['sma-nama'],
  'settings-roles-create': ['fakultas', 'prodi'],
  'settings-roles-update': ['fakultas', 'prodi'],
}

const pointsTo = (slug: string) => (entity: Entity) =>
  Object.values(entity.fields).some((field) => 'to' in field && field.to === slug)

/** Permissions besides `view` that open an entity's choices, because its rows are a filter or field elsewhere. */
export function optionReaders(entity: Entity): string[] {
  const formPermissions = entities
    .filter(pointsTo(entity.slug))
    .flatMap((entity) => (['view', 'create', 'update'] as const).map((action) => permissionOf(entity, action)))
  const pagePermissions = Object.entries(choicesByPermission).flatMap(([permission, slugs]) =>
    slugs.includes(entity.slug) ? [permission] : [],
  )
  return [...new Set([...formPermissions, ...pagePermissions])]
    .filter((slug) => slug !== permissionOf(entity, 'view'))
    .toSorted()
}
