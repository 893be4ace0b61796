import { type Entity, permissionOf } from './define/entity.ts'
import { entities } from './index.ts'

/**
 * Entities that pages of modules offer to choose from, by the permission that opens the page. Applicants hold
 * `pendaftaran-view` too: of all master data they choose from these three only, by name, which the public pages show.
 */
const offeredBy: Readonly<Record<string, readonly string[]>> = {
  'pendaftaran-view': ['periode', 'jalur', 'prodi'],
  'pindah-prodi-view': ['periode', 'prodi'],
  'settings-roles-create': ['fakultas', 'prodi'],
  'settings-roles-update': ['fakultas', 'prodi'],
}

const pointsTo = (slug: string) => (other: Entity) =>
  Object.values(other.fields).some((field) => 'to' in field && field.to === slug)

/** Permissions that open the choices of an entity beside its own: its rows are a filter or a field of other rows, or of a page. */
export function optionReaders(entity: Entity): string[] {
  const ofForms = entities
    .filter(pointsTo(entity.slug))
    .flatMap((other) => (['view', 'create', 'update'] as const).map((action) => permissionOf(other, action)))
  const ofPages = Object.keys(offeredBy).filter((permission) => offeredBy[permission]!.includes(entity.slug))
  return [...new Set([...ofForms, ...ofPages])].filter((slug) => slug !== permissionOf(entity, 'view')).toSorted()
}
