import { type ReportSlug, reportNames, reportSlugs } from '#domain/reports/report-names.ts'
import { staffPage } from '#web/shell/page.ts'

/** Reports the server implements; all of them use one page. */
const builtReports: readonly ReportSlug[] = ['pendaftaran-prodi', 'camaba', 'piutang-va', 'jumlah-pendaftaran']

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
    load: builtReports.includes(slug) ? () => import('./report-page.tsx') : undefined,
  })
})
