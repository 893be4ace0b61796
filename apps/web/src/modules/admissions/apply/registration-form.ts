import type { IntakeChoices, IntakeTrack, IntakeWave } from '#domain/admissions/intake-schemas.ts'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'

/** What is filled in and kept on the device until it was submitted. */
export type RegistrationForm = {
  /** The draft on the server, once there is one, and the track it was started for. */
  registrationId: string | null
  startedFor: string | null
  /** What the server had when this was last brought to it: a newer one was changed elsewhere and counts more. */
  version: number | null
  waveId: string | null
  trackId: string | null
  entryLevelId: string | null
  classProgrammeId: string | null
  /** Study programmes in the order of preference; '' where none is picked yet. */
  choices: string[]
  /** null: not answered; 0: none. */
  donationAmount: number | null
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

export const placeOf = (form: Pick<RegistrationForm, 'waveId' | 'trackId'>) =>
  form.waveId && form.trackId ? `${form.waveId} ${form.trackId}` : null

/** Which screens a track asks for: known as soon as the track is, so that no further one turns up. */
export const stepsFor = (track: { asksDonation: boolean; hasTest: boolean } | undefined): StepKey[] =>
  stepKeys.filter((step) => (step === 'donation' ? track?.asksDonation : step === 'test' ? track?.hasTest : true))

/** An address typed or kept from before may ask for a screen whose questions build on ones not answered yet. */
export function reachable(step: StepKey, form: RegistrationForm): StepKey {
  if (!placeOf(form)) return 'track'
  return form.registrationId || step === 'track' ? step : 'programme'
}

export const picked = (choices: readonly string[]) => choices.filter((choice) => choice !== '')

type Level = IntakeChoices['entryLevels'][number]
export const entryLevelOf = (options: IntakeChoices | undefined, form: RegistrationForm): Level | undefined =>
  options?.entryLevels.find(({ id }) => id === form.entryLevelId)

export const classOf = (options: IntakeChoices | undefined, form: RegistrationForm) =>
  entryLevelOf(options, form)?.classProgrammes.find(({ id }) => id === form.classProgrammeId)

/** The donation is ruled by the first choice. */
export const donationRuleOf = (options: IntakeChoices | undefined, form: RegistrationForm) =>
  classOf(options, form)?.programmes.find(({ id }) => id === picked(form.choices)[0])?.donation ?? null

/** Fills in what leaves no choice, and drops what the new track, level or class does not offer. */
export function fitted(form: RegistrationForm, options: IntakeChoices): RegistrationForm {
  const open = options.entryLevels.filter(({ state }) => state === 'open')
  const level = open.find(({ id }) => id === form.entryLevelId) ?? (open.length === 1 ? open[0] : undefined)
  const classes = level?.classProgrammes ?? []
  const chosenClass =
    classes.find(({ id }) => id === form.classProgrammeId) ?? (classes.length === 1 ? classes[0] : undefined)
  const offered = new Set(chosenClass?.programmes.map(({ id }) => id))
  const choices = chosenClass
    ? form.choices.slice(0, options.track.maxChoices).map((id) => (offered.has(id) ? id : ''))
    : form.choices
  return { ...form, entryLevelId: level?.id ?? null, classProgrammeId: chosenClass?.id ?? null, choices }
}

export type Problem = { key: string; minimum?: number }

/** What keeps somebody from going on from a step; the server says the rest. */
export function problemOf(step: StepKey, form: RegistrationForm, options: IntakeChoices | undefined): Problem | null {
  if (step === 'track') return placeOf(form) ? null : { key: 'form.chooseTrack' }
  if (step === 'programme') {
    if (!classOf(options, form)) return { key: 'form.chooseClass' }
    return picked(form.choices).length > 0 ? null : { key: 'form.chooseFirst' }
  }
  if (step === 'donation') {
    const rule = donationRuleOf(options, form)
    if (!rule) return null
    const { required, minimumAmount } = rule
    const amount = form.donationAmount
    // Required asks for an answer; nothing at all is one where the minimum allows it.
    const enough = amount === null ? !required : amount >= minimumAmount || (amount === 0 && !required)
    return enough
      ? null
      : { key: minimumAmount > 0 ? 'form.chooseAmount' : 'form.chooseAnyAmount', minimum: minimumAmount }
  }
  return null
}

/** The screen where a refused field is answered; null: it is not part of this form. */
export function stepOfField(field: string): StepKey | 'profile' | null {
  if (field.startsWith('profile')) return 'profile'
  if (field.startsWith('choices') || field === 'classProgrammeId' || field === 'entryLevelId') return 'programme'
  if (field === 'donationAmount') return 'donation'
  if (field === 'trackId' || field === 'waveId' || field === 'window') return 'track'
  return null
}

/** The form of a draft that was begun earlier or on another device: one stands at the first open question. */
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

/** What was picked before signing up, as far as it is still open. */
export function withIntent(
  form: RegistrationForm,
  intent: Intent | null,
  waves: readonly IntakeWave[],
): RegistrationForm {
  if (!intent || form.trackId) return form
  const wave = waves.find(({ id }) => id === intent.waveId)
  const track = wave?.tracks.find(({ id, state }) => id === intent.trackId && state === 'open')
  const filled = { ...form, classProgrammeId: intent.classProgrammeId, choices: intent.programmeIds }
  return track && wave ? { ...filled, waveId: wave.id, trackId: track.id } : filled
}

/** Dates of a track: the widest of its entry levels. */
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
