import fs from 'node:fs/promises'
import path from 'node:path'
import { answerCosts } from './answer-costs/answer-costs.ts'
import { announceCase } from './cases/announce.case.ts'
import { applicantDashboardCase } from './cases/applicant-dashboard.case.ts'
import { campaignMailsCase } from './cases/campaign-mails.case.ts'
import { campaignPlanningCase } from './cases/campaign-planning.case.ts'
import { lettersCase } from './cases/letters.case.ts'
import { billsListCase } from './cases/lists/bills-list.case.ts'
import { kelurahanListCase } from './cases/lists/kelurahan-list.case.ts'
import { registrationListCase } from './cases/lists/registration-list.case.ts'
import { registrationListAllCase } from './cases/lists/registration-list-all.case.ts'
import { spotlightCase } from './cases/lists/spotlight.case.ts'
import { virtualAccountListCase } from './cases/lists/virtual-account-list.case.ts'
import { paymentReportsCase } from './cases/payment-reports.case.ts'
import { permissionsCase } from './cases/permissions.case.ts'
import { photoZipCase } from './cases/photo-zip.case.ts'
import { rankingCase } from './cases/ranking.case.ts'
import { registrationDetailCase } from './cases/registration-detail.case.ts'
import { schoolImportCase } from './cases/school-import.case.ts'
import { scoreImportCase } from './cases/score-import.case.ts'
import { signInCase } from './cases/sign-in.case.ts'
import { signUpCase } from './cases/sign-up.case.ts'
import { staffDashboardCase } from './cases/staff-dashboard.case.ts'
import { startCase } from './cases/start.case.ts'
import { submitRegistrationCase } from './cases/submit-registration.case.ts'
import { chatTimes } from './chat.ts'
import { everyGet } from './every-get/every-get.ts'
import { firstLoad } from './first-load.ts'
import { idleCosts } from './idle.ts'
import { listGrowth } from './list-growth.ts'
import { type Bench, type Case, type Figure, measure, prepare } from './measure.ts'
import { notifyCosts } from './notify.ts'
import { processorMs } from './processor-time.ts'
import { reportFacts } from './report-facts.ts'
import { reportTimes } from './reports.ts'

const cases: Record<string, Case> = {
  announce: announceCase,
  'applicant-dashboard': applicantDashboardCase,
  'bills-list': billsListCase,
  'campaign-mails': campaignMailsCase,
  'campaign-planning': campaignPlanningCase,
  'kelurahan-list': kelurahanListCase,
  letters: lettersCase,
  'payment-reports': paymentReportsCase,
  permissions: permissionsCase,
  'photo-zip': photoZipCase,
  ranking: rankingCase,
  'registration-detail': registrationDetailCase,
  'registration-list': registrationListCase,
  'registration-list-all': registrationListAllCase,
  'school-import': schoolImportCase,
  'score-import': scoreImportCase,
  'sign-in': signInCase,
  'sign-up': signUpCase,
  spotlight: spotlightCase,
  'staff-dashboard': staffDashboardCase,
  start: startCase,
  'submit-registration': submitRegistrationCase,
  'virtual-account-list': virtualAccountListCase,
}

/** Run only by name, because they take long; each prints its own table and returns whether its goal is met. */
const surveys: Record<string, (filled: () => Promise<Bench>) => Promise<boolean>> = {
  'answer-costs': () => answerCosts(cases),
  chat: () => chatTimes(),
  'every-get': async (filled) => {
    if (process.env.BENCH_URL) return everyGet(process.env.BENCH_URL, () => undefined)
    const { url, pid, postgresPid } = await filled()
    return everyGet(url, () => processorMs(pid) + processorMs(postgresPid, { withChildren: true }))
  },
  'first-load': async (filled) => firstLoad(process.env.BENCH_URL ?? (await filled()).url),
  idle: () => idleCosts(),
  'list-growth': () => listGrowth(),
  notify: () => notifyCosts(),
  'report-facts': async (filled) => reportFacts(await filled()),
  reports: async (filled) => reportTimes(await filled()),
}

const caseNames = process.argv.slice(2).filter((name) => name !== '--')
const unknown = caseNames.filter((name) => !(name in cases || name in surveys))
if (unknown.length > 0) {
  console.error(`No such case: ${unknown.join(', ')}. There are: ${Object.keys({ ...cases, ...surveys }).join(', ')}.`)
  process.exit(1)
}

let bench: Promise<Bench> | undefined
const filled = () => {
  bench ??= prepare()
  return bench
}
const figures: Figure[] = []
let surveysPassed = true
try {
  for (const name of caseNames.length > 0 ? caseNames : Object.keys(cases)) {
    const survey = surveys[name]
    if (!survey) figures.push(await measure(name, cases[name]!, filled))
    else if (!(await survey(filled))) surveysPassed = false
  }
} finally {
  await (await bench)?.close()
  // Prints the results measured before a case failed, too.
  console.table(figures)
}
const file = path.resolve('.data/bench.json')
await fs.mkdir(path.dirname(file), { recursive: true })
await fs.writeFile(file, `${JSON.stringify(figures, null, 2)}\n`)
console.log(`Written to ${path.relative('.', file)}`)
process.exit(!surveysPassed || figures.some(({ ratio, goal }) => ratio < goal) ? 1 : 0)
