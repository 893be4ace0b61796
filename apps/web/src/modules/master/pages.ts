import type { MenuEntry } from '#domain/access/menus.ts'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import { entities, getEntity, hasView } from '#entities/index.ts'
import { type Crumb, type Page, records, staffPage } from '#web/shell/page.ts'

/** Menu heading and position for each entity without a parent. */
const places: Record<string, [under: NonNullable<MenuEntry['under']>, order: number]> = {
  fakultas: ['master-academic', 10],
  jenjang: ['master-academic', 20],
  'jenjang-pendaftaran': ['master-academic', 30],
  prodi: ['master-academic', 40],
  program: ['master-academic', 50],
  periode: ['master-admission', 10],
  jalur: ['master-admission', 20],
  'list-test': ['master-admission', 30],
  'jadwal-test': ['master-admission', 40],
  'rincian-dana': ['master-finance', 10],
  'biaya-pendaftaran': ['master-finance', 20],
  cicilan: ['master-finance', 30],
  sumbangan: ['master-finance', 40],
  diskon: ['master-finance', 50],
  'pengembalian-dana': ['master-finance', 60],
  sma: ['master-people', 10],
  'sma-nama': ['master-people', 20],
  'sma-mou': ['master-people', 30],
  agama: ['master-people', 40],
  suku: ['master-people', 50],
  provinsi: ['master-other', 10],
  afiliator: ['master-other', 20],
  'wilayah-feeder': ['master-other', 30],
  'notifikasi-whatsapp': ['master', 60],
  pertanyaan: ['master', 70],
}

const list = () => import('./list-page.tsx')
const form = () => import('./form-page.tsx')
const view = () => import('./view-page.tsx')

const master: Crumb = { title: 'master' }

/** Crumbs for master data and the list that leads to the row. */
const crumbsAbove = (entity: Entity): Crumb[] =>
  entity.parent
    ? crumbsAbove(getEntity(entity.parent.slug))
    : [master, { title: entity.label.many, path: `/master/${entity.slug}` }]

function listAndForms({ slug, label }: Entity): Page[] {
  const place = places[slug]
  return records(`/master/${slug}`, `master-${slug}`, label.one, {
    title: label.many,
    under: [master],
    menu: place && { under: place[0], order: place[1], name: label.many, icon: 'point' },
    list,
    create: form,
    edit: form,
  })
}

/** Pages that add and change a nested row. */
function formsBelow(entity: Entity, { slug: parent, pages }: NonNullable<Entity['parent']>): Page[] {
  if (!pages) return []
  const { slug, label } = entity
  const crumbs = [
    ...crumbsAbove(entity),
    { title: 'detail', noun: getEntity(parent).label.one, path: `/master/${parent}/view/:id` },
  ]
  return [
    staffPage(`/master/${parent}/:id/${pages.create}`, `master-${slug}-create`, {
      access: permissionOf(entity, 'create'),
      title: 'create',
      noun: label.one,
      under: crumbs,
      load: form,
    }),
    staffPage(`/master/${parent}/:id/${pages.edit}`, `master-${slug}-edit`, {
      access: permissionOf(entity, 'update'),
      title: 'edit',
      noun: label.one,
      under: crumbs,
      load: form,
    }),
  ]
}

const viewOf = (entity: Entity): Page =>
  staffPage(`/master/${entity.slug}/view/:id`, `master-${entity.slug}-view`, {
    access: permissionOf(entity, 'view'),
    title: 'detail',
    noun: entity.label.one,
    under: crumbsAbove(entity),
    load: view,
  })

/** List, form and view pages of every entity. */
export const pages = entities.flatMap((entity) => [
  ...(entity.parent ? formsBelow(entity, entity.parent) : listAndForms(entity)),
  ...(hasView(entity) ? [viewOf(entity)] : []),
])
