import { type BuiltReportSlug, builtReportSlugs } from '#domain/reports/report-names.ts'
import { prospectiveStudents } from './camaba.report.ts'
import { numberOfRegistrations } from './jumlah-pendaftaran.report.ts'
import { registrationsByProgramme } from './pendaftaran-prodi.report.ts'
import { receivables } from './piutang-va.report.ts'
import type { Report } from './report.ts'

const reportsBySlug: Record<BuiltReportSlug, Report> = {
  'pendaftaran-prodi': registrationsByProgramme,
  camaba: prospectiveStudents,
  'piutang-va': receivables,
  'jumlah-pendaftaran': numberOfRegistrations,
}

/** Every report, in menu order. */
export const reports: readonly Report[] = builtReportSlugs.map((slug) => reportsBySlug[slug])
