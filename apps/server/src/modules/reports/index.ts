import { type BuiltReportSlug, builtReportSlugs } from '#domain/reports/report-names.ts'
import { filesAndLicences } from './berkas-sim.report.ts'
import { prospectiveStudents } from './camaba.report.ts'
import { testSeats } from './camaba-cbt.report.ts'
import { testResults } from './hasil-cbt.report.ts'
import { selectionResults } from './hasil-kelulusan.report.ts'
import { numberOfRegistrations } from './jumlah-pendaftaran.report.ts'
import { studentNumbersReport } from './npm-mahasiswa.report.ts'
import { registrationsByProgramme } from './pendaftaran-prodi.report.ts'
import { receivables } from './piutang-va.report.ts'
import type { Report } from './report.ts'
import { documentStates } from './status-berkas-pendaftaran.report.ts'
import { jacketSizes } from './ukuran-almamater.report.ts'

const reportsBySlug: Record<BuiltReportSlug, Report> = {
  'pendaftaran-prodi': registrationsByProgramme,
  'ukuran-almamater': jacketSizes,
  'camaba-cbt': testSeats,
  camaba: prospectiveStudents,
  'hasil-kelulusan': selectionResults,
  'hasil-cbt': testResults,
  'berkas-sim': filesAndLicences,
  'status-berkas-pendaftaran': documentStates,
  'npm-mahasiswa': studentNumbersReport,
  'piutang-va': receivables,
  'jumlah-pendaftaran': numberOfRegistrations,
}

/** Every report, in menu order. */
export const reports: readonly Report[] = builtReportSlugs.map((slug) => reportsBySlug[slug])
