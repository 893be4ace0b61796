import {
  actionEndpoints,
  createRegistration,
  listPublications,
  readIntakeOptions,
  readRegistration,
  setPublication,
} from '#domain/admissions/endpoints.ts'
import {
  getProfile,
  listRegions,
  profileOptions,
  searchSchools,
  updateProfile,
  uploadProfilePhoto,
} from '#domain/applicants/endpoints.ts'
import { approveDocument, listDocuments, uploadDocument } from '#domain/documents/endpoints.ts'
import { paySandboxAccount } from '#domain/payments/banks/endpoints.ts'
import type { BillKind } from '#domain/payments/bills/bill-status.ts'
import { listRegistrationBills, requestVirtualAccount } from '#domain/payments/bills/endpoints.ts'
import { issueNumber } from '#domain/students/endpoints.ts'
import {
  listTestScores,
  listTestSessions,
  recordAttendance,
  recordTestScores,
  takeTestSeat,
} from '#domain/testing/endpoints.ts'
import type { TrialStep } from '#domain/trial/trial.ts'
import type { Language } from '#entities/define/language.ts'
import { sentences } from '#server/platform/text.ts'
import { sampleDocument, samplePicture } from './sample-files.ts'
import { type Caller, StepRefused } from './trial-calls.ts'

export type Walk = {
  applicant: Caller
  staff: Caller
  /** Null until the registration is started. */
  registrationId: string | null
  place: {
    waveId: string
    trackId: string
    entryLevelId: string
    classProgrammeId: string
    programmeId: string
  }
  person: { number: number; name: string; phone: string }
  language: Language
  /** Time on the trial's clock. */
  now(): Date
  /** Moves the trial's clock forward, never back. */
  waitUntil(moment: Date): Promise<void>
}

/** A walk whose registration is started. */
type Started = Walk & { registrationId: string }

/** A step of the started registration. Throws if the step comes too early. */
function afterStart(take: (walk: Started) => Promise<unknown>) {
  return async (walk: Walk) => {
    const { registrationId } = walk
    if (registrationId === null) throw new Error('The registration is not started')
    return take({ ...walk, registrationId })
  }
}

/**
 * Each step as calls of the declared endpoints, by the applicant or by staff, with data a person could have entered.
 */
export const stepTakers: Record<TrialStep, (walk: Walk) => Promise<unknown>> = {
  profile: fillProfile,
  submit,
  bill: afterStart((walk) => numberToPay(walk, 'registration_fee')),
  pay: afterStart((walk) => pay(walk, 'registration_fee')),
  upload: afterStart(upload),
  approve: afterStart(approve),
  seat: afterStart(bookSeat),
  decide: afterStart(decide),
  publish,
  confirm: afterStart(({ applicant, registrationId }) =>
    applicant.call(actionEndpoints.confirm, { params: { id: registrationId }, body: {} }),
  ),
  payAgain: afterStart((walk) => pay(walk, 're_registration')),
  number: afterStart(({ staff, registrationId }) => staff.call(issueNumber, { params: { registrationId }, body: {} })),
}

const refuse = (language: Language, key: string, lines: string[] = []) => {
  throw new StepRefused({ message: sentences(language)(key), sentences: lines })
}

async function fillProfile({ applicant, person: { number, name, phone }, language, now }: Walk) {
  const [{ data: present }, { data: options }, address, school] = await Promise.all([
    applicant.call(getProfile),
    applicant.call(profileOptions),
    someAddress(applicant),
    applicant.call(searchSchools, { query: { q: 'SMA' } }),
  ])
  const [chosenSchool] = school.data
  const schoolType = options.schoolTypes.find(({ id }) => id === chosenSchool?.schoolTypeId)
  const birthYear = now().getFullYear() - 18 - 1
  await applicant.call(updateProfile, {
    body: {
      version: present?.version ?? 0,
      fullName: name,
      birthPlace: 'Jakarta',
      birthDate: `${birthYear}-05-17`,
      gender: 'female',
      nik: `3171015705${String(birthYear).slice(2)}${String((number % 9000) + 1000)}`,
      religionId: options.religions[0]?.id ?? null,
      phone,
      motherName: 'Ibu Uji Coba',
      ...address,
      address: 'Jalan Uji Coba 1',
      postalCode: '10110',
      // An applicant may name a school missing from the list, but a trial may not; a university graduate needs no
      // school.
      lastEducation: chosenSchool ? 'sma' : 's1',
      schoolId: chosenSchool?.id ?? null,
      schoolTypeId: chosenSchool?.schoolTypeId ?? null,
      schoolMajorId: schoolType?.majors[0]?.id ?? null,
      graduationYear: birthYear + 18,
      clothesSize: 'M',
    },
  })
  await applicant.upload(uploadProfilePhoto, {}, await samplePicture('trial'))
  const { data: filled } = await applicant.call(getProfile)
  const say = sentences(language)
  if (filled!.missing.length > 0)
    refuse(
      language,
      'trial:nothingToChoose',
      filled!.missing.map((field) => say(`applicants:field.${field}`)),
    )
}

/** The first region of each level that has regions below it. */
async function someAddress(applicant: Caller) {
  const first = async (level: 'provinces' | 'cities' | 'districts' | 'villages', parentId?: string) =>
    (await applicant.call(listRegions, { params: { level }, query: parentId ? { parentId } : {} })).data[0]?.id ?? null
  const provinceId = await first('provinces')
  const cityId = provinceId && (await first('cities', provinceId))
  const districtId = cityId && (await first('districts', cityId))
  const villageId = districtId && (await first('villages', districtId))
  return { provinceId, cityId, districtId, villageId }
}

async function submit({ applicant, registrationId, place }: Walk) {
  const { programmeId, ...where } = place
  const id =
    registrationId ??
    (
      await applicant.call(createRegistration, {
        body: { ...where, choices: [programmeId], donationAmount: await donation(applicant, place) },
      })
    ).data.id
  await applicant.call(actionEndpoints.submit, { params: { id }, body: {} })
}

/** The lowest donation the study programme asks for; null if it asks for none. */
async function donation(applicant: Caller, { waveId, trackId, entryLevelId, programmeId }: Walk['place']) {
  const { data } = await applicant.call(readIntakeOptions, { query: { waveId, trackId } })
  const programmes = data.entryLevels
    .filter(({ id }) => id === entryLevelId)
    .flatMap(({ classProgrammes }) => classProgrammes.flatMap(({ programmes }) => programmes))
  const rule = programmes.find(({ id }) => id === programmeId)?.donation
  return rule?.required ? rule.minimumAmount : null
}

const billOf = async ({ applicant, registrationId }: Started, kind: BillKind) => {
  const { data } = await applicant.call(listRegistrationBills, { params: { id: registrationId } })
  return { bill: data.bills.findLast((bill) => bill.kind === kind), banks: data.banks }
}

/** Requests the transfer number for the next amount; null if nothing is left to pay. */
async function numberToPay(walk: Started, kind: BillKind) {
  const { bill, banks } = await billOf(walk, kind)
  if (!bill?.next) return null
  const bank = banks[0] ?? refuse(walk.language, 'trial:noBank')
  const { data } = await walk.applicant.call(requestVirtualAccount, {
    params: { id: bill.id },
    body: { bank: bank.code, ...(bill.next.installmentId && { installmentId: bill.next.installmentId }) },
  })
  return { number: data.number!, amount: data.amount, missing: bill.unlock?.missing ?? bill.next.amount }
}

/** Maximum number of instalments paid. */
const maxInstallments = 24

/** Pays at the demo bank until the bill unlocks the next step. */
async function pay(walk: Started, kind: BillKind) {
  for (let payment = 0; payment < maxInstallments; payment++) {
    const account = await numberToPay(walk, kind)
    if (!account || account.missing === 0) return
    await walk.applicant.call(paySandboxAccount, {
      params: { number: account.number },
      body: { action: 'pay', amount: account.amount },
    })
  }
}

const documentsOf = async (caller: Caller, { registrationId }: Started) =>
  (await caller.call(listDocuments, { params: { id: registrationId } })).data

async function upload(walk: Started) {
  for (const { id, required, status, acceptedTypes } of await documentsOf(walk.applicant, walk))
    if (required && (status === 'empty' || status === 'rejected'))
      await walk.applicant.upload(
        uploadDocument,
        { id: walk.registrationId, documentId: id },
        await sampleDocument(acceptedTypes),
      )
}

async function approve(walk: Started) {
  const { staff, registrationId } = walk
  for (const { id, status, version } of await documentsOf(staff, walk))
    if (status === 'uploaded') await staff.call(approveDocument, { params: { documentId: id }, body: { version } })
  const { data } = await staff.call(readRegistration, { params: { id: registrationId } })
  if (data.verifiedAt === null) await staff.call(actionEndpoints.verify, { params: { id: data.id }, body: {} })
}

async function bookSeat({ applicant, registrationId, language, waitUntil }: Started) {
  const params = { id: registrationId }
  const { data } = await applicant.call(listTestSessions, { params })
  const session =
    data.sessions.find(({ state }) => state === 'open') ?? data.sessions.find(({ state }) => state === 'not_yet')
  if (!session) return refuse(language, `testing:blocked.${data.blockedBy ?? 'no_sessions'}`)
  if (session.state === 'not_yet') await waitUntil(new Date(session.bookingOpensAt!))
  await applicant.call(takeTestSeat, { params, body: { testSessionId: session.id } })
}

/** Share of the highest score that a trial gets in every test. */
const scoreShare = 0.9

async function decide(walk: Started) {
  const { staff, registrationId, place, waitUntil } = walk
  const params = { id: registrationId }
  const { data: schedule } = await staff.call(listTestSessions, { params })
  if (schedule.seat) {
    await waitUntil(new Date(schedule.seat.session.endsAt))
    await staff.call(recordAttendance, { params: { id: schedule.seat.id }, body: { attended: true } })
    const { data: sheet } = await staff.call(listTestScores, { params })
    const scores = sheet.scores.map(({ testId, maxScore }) => ({
      testId,
      score: Math.round(maxScore * scoreShare * 100) / 100,
    }))
    if (scores.length > 0) await staff.call(recordTestScores, { params, body: { scores } })
  }
  await staff.call(actionEndpoints.accept, { params, body: { programmeId: place.programmeId } })
}

async function publish({ staff, place: { waveId, trackId }, now }: Walk) {
  const { data } = await staff.call(listPublications, { query: { waveId } })
  const version = data.find((row) => row.trackId === trackId)?.version ?? 0
  await staff.call(setPublication, { body: { waveId, trackId, publishAt: now().toISOString(), version } })
}
