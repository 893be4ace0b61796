import { prospectiveStudents } from './camaba.report.ts'
import { numberOfRegistrations } from './jumlah-pendaftaran.report.ts'
import { registrationsByProgramme } from './pendaftaran-prodi.report.ts'
import { receivables } from './piutang-va.report.ts'
import type { Report } from './report.ts'

/** Every report, in menu order. */
export const reports: readonly Report[] = [
  registrationsByProgramme,
  prospectiveStudents,
  receivables,
  numberOfRegistrations,
]
