import type { MenuEntry } from '#domain/access/menus.ts'
import { type Screen, screens, sharedParts } from '#domain/campaigns/screens.ts'
import { type Crumb, type Page, staffPage } from '#web/shell/page.ts'

const messages: Crumb = { title: 'kirim-informasi' }
const marketing: Crumb = { title: 'marketing' }

/** Pages of a screen: list, new, edit and detail. */
function campaignPages({ path, name, access }: Screen, under: readonly Crumb[], menu: MenuEntry): Page[] {
  const below = { access, noun: 'campaign', under: [...under, { title: name, path }] }
  return [
    staffPage(path, name, { access, under, menu, load: () => import('./campaigns-page.tsx') }),
    staffPage(`${path}/create`, `${name}-create`, {
      ...below,
      title: 'create',
      load: () => import('./form/campaign-form-page.tsx'),
    }),
    staffPage(`${path}/:id/edit`, `${name}-edit`, {
      ...below,
      title: 'edit',
      load: () => import('./form/campaign-form-page.tsx'),
    }),
    staffPage(`${path}/:id`, `${name}-detail`, {
      ...below,
      title: 'detail',
      load: () => import('./view/campaign-page.tsx'),
    }),
  ]
}

/** Pages below the `shared` path of a screen: templates, opt-outs and blocked addresses. */
function sharedPages({ access, shared, path, name }: Screen, under: readonly Crumb[]): Page[] {
  const below = [...under, { title: name, path }]
  const prefix = shared.slice(1).replaceAll('/', '-')
  return [
    staffPage(`${shared}/${sharedParts.templates}`, `${prefix}-teks`, {
      access,
      title: 'campaign-texts',
      under: below,
      load: () => import('./templates-page.tsx'),
    }),
    staffPage(`${shared}/${sharedParts.optOuts}`, `${prefix}-berhenti`, {
      access,
      title: 'campaign-opt-outs',
      under: below,
      load: () => import('./opt-outs-page.tsx'),
    }),
    staffPage(`${shared}/${sharedParts.suppressions}`, `${prefix}-alamat-diblokir`, {
      access,
      title: 'campaign-suppressions',
      under: below,
      load: () => import('./suppressions-page.tsx'),
    }),
  ]
}

export const pages = [
  ...campaignPages(screens.registrations, [messages], {
    under: 'messages',
    order: 10,
    name: { en: 'To registrations', id: 'Ke pendaftar' },
    icon: 'mail-forward',
  }),
  ...campaignPages(screens.sheet, [messages], {
    under: 'messages',
    order: 20,
    name: { en: 'From an Excel file', id: 'Dari berkas Excel' },
    icon: 'file-spreadsheet',
  }),
  ...campaignPages(screens.marketing, [marketing], {
    under: 'marketing',
    order: 30,
    name: { en: 'Marketing messages', id: 'Kirim ke prospek dan mitra' },
    icon: 'mail-share',
  }),
  ...sharedPages(screens.registrations, [messages]),
  ...sharedPages(screens.marketing, [marketing]),
]
