import { reportNames, reportSlugs, reportTitle } from '#domain/reports/report-names.ts'
import { capitalised } from '#entities/define/language.ts'
import { staffPage } from '#web/shell/page.ts'

export const pages = reportSlugs.map((slug, index) => {
  const { en, id } = reportNames[slug]
  return staffPage(`/laporan/${slug}`, `laporan-${slug}`, {
    access: `laporan-${slug}`,
    title: reportTitle(slug),
    breadcrumbs: [{ title: 'laporan' }],
    menu: {
      under: 'reports',
      order: (index + 1) * 10,
      name: { en: capitalised(en), id: capitalised(id) },
      icon: 'point',
    },
    load: () => import('./report-page.tsx'),
  })
})
