import { type ReportSlug, reportSlugs } from '#domain/reports/report-names.ts'
import { schoolsOfConfirmedPayers } from './asal-sekolah-fix-bayar.report.ts'
import { registrationsByEthnicGroup } from './berdasarkan-suku.report.ts'
import { filesAndLicences } from './berkas-sim.report.ts'
import { prospectiveStudents } from './camaba.report.ts'
import { testSeats } from './camaba-cbt.report.ts'
import { testResults } from './hasil-cbt.report.ts'
import { selectionResults } from './hasil-kelulusan.report.ts'
import { numberOfRegistrations } from './jumlah-pendaftaran.report.ts'
import { questionnaireAnswers } from './kuesioner-mahasiswa.report.ts'
import { studentsForFeeder } from './mahasiswa-feeder.report.ts'
import { confirmedPayers } from './mahasiswa-fix-bayar.report.ts'
import { studentNumbersReport } from './npm-mahasiswa.report.ts'
import { studentPayments } from './pembayaran-mahasiswa.report.ts'
import { registrationsByProgramme } from './pendaftaran-prodi.report.ts'
import { incomeByComponent } from './pendapatan-detail-prodi.report.ts'
import { incomeByProgramme } from './pendapatan-prodi.report.ts'
import { registrationsByYear } from './per-tahun-akademik.report.ts'
import { receivables } from './piutang-va.report.ts'
import type { Report } from './report.ts'
import { documentStates } from './status-berkas-pendaftaran.report.ts'
import { registrationStatus } from './status-pendaftaran.report.ts'
import { registrationsOverTime } from './total-pendaftaran.report.ts'
import { jacketSizes } from './ukuran-almamater.report.ts'
import { referrals } from './voucher-afiliator.report.ts'
import { registrationsByRegion } from './wilayah-asal-sekolah.report.ts'

const reportsBySlug: Record<ReportSlug, Report> = {
  'pendaftaran-prodi': registrationsByProgramme,
  'total-pendaftaran': registrationsOverTime,
  'per-tahun-akademik': registrationsByYear,
  'ukuran-almamater': jacketSizes,
  'kuesioner-mahasiswa': questionnaireAnswers,
  'berdasarkan-suku': registrationsByEthnicGroup,
  'wilayah-asal-sekolah': registrationsByRegion,
  'camaba-cbt': testSeats,
  camaba: prospectiveStudents,
  'hasil-kelulusan': selectionResults,
  'hasil-cbt': testResults,
  'pembayaran-mahasiswa': studentPayments,
  'status-pendaftaran': registrationStatus,
  'berkas-sim': filesAndLicences,
  'status-berkas-pendaftaran': documentStates,
  'npm-mahasiswa': studentNumbersReport,
  'mahasiswa-feeder': studentsForFeeder,
  'mahasiswa-fix-bayar': confirmedPayers,
  'asal-sekolah-fix-bayar': schoolsOfConfirmedPayers,
  'pendapatan-prodi': incomeByProgramme,
  'pendapatan-detail-prodi': incomeByComponent,
  'piutang-va': receivables,
  'jumlah-pendaftaran': numberOfRegistrations,
  'voucher-afiliator': referrals,
}

/** Every report, in menu order. */
export const reports: readonly Report[] = reportSlugs.map((slug) => reportsBySlug[slug])
