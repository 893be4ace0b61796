import { type ReportSlug, reportNames, reportSlugs } from '#domain/reports/report-names.ts'
import { staffPage } from '#web/shell/page.ts'

/** Reports that the server answers; all of them show one page. */
const built: readonly ReportSlug[] = ['pendaftaran-prodi', 'camaba', 'piutang-va', 'jumlah-pendaftaran']

const capitalised = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase())

export const pages = reportSlugs.map((slug, index) => {
  const { en, id } = reportNames[slug]
  return staffPage(`/laporan/${slug}`, `laporan-${slug}`, {
    access: `laporan-${slug}`,
    breadcrumbs: [{ title: 'laporan' }],
    menu: {
      under: 'reports',
      order: (index + 1) * 10,
      name: { en: capitalised(en), id: capitalised(id) },
      icon: 'point',
    },
    load: built.includes(slug) ? () => import('./report-page.tsx') : undefined,
  })
})
