import type { IntakeChoices, IntakeTrack, IntakeWave } from '#domain/admissions/intake-schemas.ts'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'

/** The applicant's answers; the device keeps them until they are submitted. */
export type RegistrationForm = {
  /** Server draft and the track it was started for; null before the first save. */
  registrationId: string | null
  startedFor: string | null
  /**
   * Version of the server draft at the last save or load. A newer draft was changed elsewhere and replaces the answers.
   */
  version: number | null
  waveId: string | null
  trackId: string | null
  entryLevelId: string | null
  classProgrammeId: string | null
  /** Study programmes in order of preference; '' for an empty choice. */
  choices: string[]
  /** null: not answered; 0: no donation. */
  donationAmount: number | null
  /** Whether the applicant chose to enter an amount; missing in older drafts. */
  isOtherDonation?: boolean
  /** Test session chosen but not booked yet; missing in older drafts. */
  testSessionId?: string
  step: StepKey
}

export const emptyForm: RegistrationForm = {
  registrationId: null,
  startedFor: null,
  version: null,
  waveId: null,
  trackId: null,
  entryLevelId: null,
  classProgrammeId: null,
  choices: [],
  donationAmount: null,
  step: 'track',
}

export const stepKeys = ['track', 'programme', 'donation', 'test', 'check'] as const
export type StepKey = (typeof stepKeys)[number]

/** Whether the applicant has left the first screen; values prefilled by the page are not answers. */
export const isBegun = ({ step, trackId }: Pick<RegistrationForm, 'step' | 'trackId'>) =>
  trackId !== null && step !== 'track'

export const placeOf = (form: Pick<RegistrationForm, 'waveId' | 'trackId'>) =>
  form.waveId && form.trackId ? `${form.waveId} ${form.trackId}` : null

/** Steps for a track; without a track, all except donation and test. */
export const stepsFor = (track: { asksDonation: boolean; hasTest: boolean } | undefined): StepKey[] =>
  stepKeys.filter((step) => (step === 'donation' ? track?.asksDonation : step === 'test' ? track?.hasTest : true))

/** The step, or an earlier one whose answers it needs: an address may name any step. */
export function reachableStep(step: StepKey, form: RegistrationForm): StepKey {
  if (!placeOf(form)) return 'track'
  return form.registrationId || step === 'track' ? step : 'programme'
}

export const programmeIdsOf = (choices: readonly string[]) => choices.filter((choice) => choice !== '')

type Level = IntakeChoices['entryLevels'][number]
export const entryLevelOf = (options: IntakeChoices | undefined, form: RegistrationForm): Level | undefined =>
  options?.entryLevels.find(({ id }) => id === form.entryLevelId)

export const classOf = (options: IntakeChoices | undefined, form: RegistrationForm) =>
  entryLevelOf(options, form)?.classProgrammes.find(({ id }) => id === form.classProgrammeId)

/** The first choice decides which donation rule applies. */
export const donationRuleOf = (options: IntakeChoices | undefined, form: RegistrationForm) =>
  classOf(options, form)?.programmes.find(({ id }) => id === programmeIdsOf(form.choices)[0])?.donation ?? null

/** Fills in the only level and class on offer, and drops answers that track, level or class do not offer. */
export function fitToOptions(form: RegistrationForm, options: IntakeChoices): RegistrationForm {
  const openLevels = options.entryLevels.filter(({ state }) => state === 'open')
  const level =
    openLevels.find(({ id }) => id === form.entryLevelId) ?? (openLevels.length === 1 ? openLevels[0] : undefined)
  const classes = level?.classProgrammes ?? []
  const chosenClass =
    classes.find(({ id }) => id === form.classProgrammeId) ?? (classes.length === 1 ? classes[0] : undefined)
  const offeredIds = new Set(chosenClass?.programmes.map(({ id }) => id))
  const choices = chosenClass
    ? form.choices.slice(0, options.track.maxChoices).map((id) => (offeredIds.has(id) ? id : ''))
    : form.choices
  return { ...form, entryLevelId: level?.id ?? null, classProgrammeId: chosenClass?.id ?? null, choices }
}

export type Problem = {
  key: `form.choose${'Track' | 'Class' | 'First' | 'Amount' | 'AnyAmount'}` | 'form.enterAmount'
  minimum?: number
}

/** First problem that blocks leaving a step; the server checks everything else. */
export function problemOf(step: StepKey, form: RegistrationForm, options: IntakeChoices | undefined): Problem | null {
  if (step === 'track') return placeOf(form) ? null : { key: 'form.chooseTrack' }
  if (step === 'programme') {
    if (!classOf(options, form)) return { key: 'form.chooseClass' }
    return programmeIdsOf(form.choices).length > 0 ? null : { key: 'form.chooseFirst' }
  }
  if (step === 'donation') {
    if (form.donationAmount === null && form.isOtherDonation) return { key: 'form.enterAmount' }
    const rule = donationRuleOf(options, form)
    if (!rule) return null
    const { required, minimumAmount } = rule
    const amount = form.donationAmount
    // A required donation must be answered; 0 is an answer if the minimum is 0.
    const isEnough = amount === null ? !required : amount >= minimumAmount || (amount === 0 && !required)
    return isEnough
      ? null
      : { key: minimumAmount > 0 ? 'form.chooseAmount' : 'form.chooseAnyAmount', minimum: minimumAmount }
  }
  return null
}

/** Step that asks for a refused field; `profile` for the applicant's data, null for other fields. */
export function stepOfField(field: string): StepKey | 'profile' | null {
  if (field.startsWith('profile')) return 'profile'
  if (field.startsWith('choices') || field === 'classProgrammeId' || field === 'entryLevelId') return 'programme'
  if (field === 'donationAmount') return 'donation'
  if (field === 'trackId' || field === 'waveId' || field === 'window') return 'track'
  return null
}

/** Form for a draft begun earlier or on another device, at its first unanswered question. */
export function formOf(detail: RegistrationDetail): RegistrationForm {
  const choices = [...detail.choices].sort((a, b) => a.position - b.position).map(({ id }) => id)
  const donationOpen = detail.track.asksDonation && detail.donation !== null && detail.donationAmount === null
  const place = { waveId: detail.wave.id, trackId: detail.track.id }
  return {
    ...place,
    registrationId: detail.id,
    startedFor: placeOf(place),
    version: detail.version,
    entryLevelId: detail.entryLevel.id,
    classProgrammeId: detail.classProgramme.id,
    choices,
    donationAmount: detail.donationAmount,
    step: choices.length === 0 ? 'programme' : donationOpen ? 'donation' : 'check',
  }
}

type Intent = { waveId: string | null; trackId: string | null; classProgrammeId: string | null; programmeIds: string[] }

/** Fills in the choice made before sign-up; wave and track only if still open. */
export function withIntent(
  form: RegistrationForm,
  intent: Intent | null,
  waves: readonly IntakeWave[],
): RegistrationForm {
  if (!intent || form.trackId) return form
  const wave = waves.find(({ id }) => id === intent.waveId)
  const track = wave?.tracks.find(({ id, state }) => id === intent.trackId && state === 'open')
  const filledForm = { ...form, classProgrammeId: intent.classProgrammeId, choices: intent.programmeIds }
  return track && wave ? { ...filledForm, waveId: wave.id, trackId: track.id } : filledForm
}

/** Dates of a track: its widest window and its earliest deadlines over all entry levels. */
export function datesOf({ windows }: Pick<IntakeTrack, 'windows'>) {
  const earliest = (values: (string | null)[]) => values.filter((value) => value !== null).sort()[0] ?? null
  const latest = (values: (string | null)[]) =>
    values
      .filter((value) => value !== null)
      .sort()
      .at(-1) ?? null
  return {
    opensAt: earliest(windows.map(({ opensAt }) => opensAt)),
    closesAt: latest(windows.map(({ closesAt }) => closesAt)),
    paymentDueAt: earliest(windows.map(({ paymentDueAt }) => paymentDueAt)),
    resultsAt: earliest(windows.map(({ resultsAt }) => resultsAt)),
    confirmationDueAt: earliest(windows.map(({ confirmationDueAt }) => confirmationDueAt)),
  }
}
