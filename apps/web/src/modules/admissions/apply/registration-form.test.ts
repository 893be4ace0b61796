import { describe, expect, it } from 'vitest'
import type { IntakeChoices, IntakeWave } from '#domain/admissions/intake-schemas.ts'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import {
  datesOf,
  donationRuleOf,
  emptyForm,
  fitToOptions,
  formOf,
  isBegun,
  placeOf,
  problemOf,
  reachableStep,
  stepOfField,
  stepsFor,
  withIntent,
} from './registration-form.ts'

const programme = (id: string, donation: object | null = null) => ({ id, donation })
const rule = { required: true, minimumAmount: 500_000, suggestedAmounts: [] }
const level = (id: string, classes: object[], state = 'open') => ({ id, state, classProgrammes: classes })
const options = (levels: object[], maxChoices = 2) =>
  ({ track: { maxChoices }, entryLevels: levels }) as unknown as IntakeChoices
const singleClass = options([level('s1', [{ id: 'pagi', programmes: [programme('if', rule), programme('si')] }])])
const optionalDonation = options([
  level('s1', [{ id: 'pagi', programmes: [programme('if', { ...rule, minimumAmount: 0 })] }]),
])
const form = (values: object = {}) => ({ ...emptyForm, ...values })

describe('the steps of a registration', () => {
  it('depend on the track', () => {
    expect(stepsFor({ asksDonation: true, hasTest: true })).toHaveLength(5)
    expect(stepsFor({ asksDonation: false, hasTest: true })).toEqual(['track', 'programme', 'test', 'check'])
    expect(stepsFor({ asksDonation: false, hasTest: false })).toEqual(['track', 'programme', 'check'])
  })
})

it('a form prefilled with the sign-up choice counts as begun only once its first screen is left', () => {
  const wave = { id: 'w', tracks: [{ id: 't', state: 'open' }] } as unknown as IntakeWave
  const intent = { waveId: 'w', trackId: 't', classProgrammeId: null, programmeIds: ['if'] }
  const filledIn = withIntent(form(), intent, [wave])
  expect(filledIn.trackId).toBe('t')
  expect(isBegun(filledIn)).toBe(false)
  expect(isBegun({ ...filledIn, step: 'programme' })).toBe(true)
})

it('a later screen opens only once the earlier questions are answered', () => {
  expect(reachableStep('check', form())).toBe('track')
  expect(reachableStep('check', form({ waveId: 'w', trackId: 't' }))).toBe('programme')
  expect(reachableStep('check', form({ waveId: 'w', trackId: 't', registrationId: 'r' }))).toBe('check')
})

describe('the offer of a track', () => {
  it('fills in the only level and the only class', () =>
    expect(fitToOptions(form(), singleClass)).toMatchObject({ entryLevelId: 's1', classProgrammeId: 'pagi' }))

  it('leaves a real choice to the applicant', () => {
    const severalLevels = options([
      level('s1', [
        { id: 'pagi', programmes: [] },
        { id: 'malam', programmes: [] },
      ]),
      level('s2', []),
    ])
    expect(fitToOptions(form(), severalLevels)).toMatchObject({ entryLevelId: null, classProgrammeId: null })
    expect(fitToOptions(form({ entryLevelId: 's1' }), severalLevels)).toMatchObject({
      entryLevelId: 's1',
      classProgrammeId: null,
    })
  })

  it('never fills in a closed level', () =>
    expect(fitToOptions(form(), options([level('s1', [], 'closed')]))).toMatchObject({ entryLevelId: null }))

  it("drops choices the class does not offer or beyond the track's maximum", () =>
    expect(fitToOptions(form({ choices: ['gone', 'si', 'if'] }), singleClass).choices).toEqual(['', 'si']))
})

describe('moving on', () => {
  it.each([
    ['without a track', 'track', form(), 'form.chooseTrack'],
    ['with one', 'track', form({ waveId: 'w', trackId: 't' }), null],
    ['without a class', 'programme', form({ choices: ['if'] }), 'form.chooseClass'],
    ['without a programme', 'programme', fitToOptions(form({ choices: ['', ''] }), singleClass), 'form.chooseFirst'],
    ['with only a second choice', 'programme', fitToOptions(form({ choices: ['', 'si'] }), singleClass), null],
    [
      'without a required donation',
      'donation',
      fitToOptions(form({ choices: ['if'] }), singleClass),
      'form.chooseAmount',
    ],
    [
      'with too little',
      'donation',
      fitToOptions(form({ choices: ['if'], donationAmount: 1 }), singleClass),
      'form.chooseAmount',
    ],
    ['with enough', 'donation', fitToOptions(form({ choices: ['if'], donationAmount: 500_000 }), singleClass), null],
    ['where no donation is ruled', 'donation', fitToOptions(form({ choices: ['si'] }), singleClass), null],
  ] as const)('%s', (_situation, step, filledForm, key) =>
    expect(problemOf(step, filledForm, singleClass)?.key ?? null).toBe(key),
  )

  it('accepts a donation of 0 if the minimum is 0, but not a missing answer', () => {
    expect(
      problemOf(
        'donation',
        fitToOptions(form({ choices: ['if'], donationAmount: 0 }), optionalDonation),
        optionalDonation,
      ),
    ).toBeNull()
    expect(
      problemOf('donation', fitToOptions(form({ choices: ['if'] }), optionalDonation), optionalDonation)?.key,
    ).toBe('form.chooseAnyAmount')
  })

  it('asks for the amount once "another amount" is chosen, even if donating is optional', () => {
    for (const choice of ['if', 'si']) {
      const chosen = form({ choices: [choice], isOtherDonation: true })
      expect(problemOf('donation', fitToOptions(chosen, singleClass), singleClass)?.key).toBe('form.enterAmount')
      const filled = { ...chosen, donationAmount: 600_000 }
      expect(problemOf('donation', fitToOptions(filled, singleClass), singleClass)).toBeNull()
    }
  })

  it("uses the first choice's donation rule", () => {
    expect(donationRuleOf(singleClass, fitToOptions(form({ choices: ['', 'if'] }), singleClass))).toEqual(rule)
    expect(donationRuleOf(singleClass, fitToOptions(form({ choices: ['si', 'if'] }), singleClass))).toBeNull()
  })
})

it('every refused field leads to the screen that asks for it', () => {
  expect(['profile.birthDate', 'choices', 'choices.1', 'donationAmount', 'window', 'trackId'].map(stepOfField)).toEqual(
    ['profile', 'programme', 'programme', 'donation', 'track', 'track'],
  )
  expect(stepOfField('elsewhere')).toBeNull()
})

describe('a draft begun elsewhere', () => {
  const detail = (values: object = {}) =>
    ({
      id: 'r',
      version: 3,
      wave: { id: 'w' },
      track: { id: 't', asksDonation: true },
      entryLevel: { id: 's1' },
      classProgramme: { id: 'pagi' },
      choices: [
        { id: 'si', position: 2 },
        { id: 'if', position: 1 },
      ],
      donation: rule,
      donationAmount: null,
      ...values,
    }) as unknown as RegistrationDetail

  it('opens at the first unanswered question', () => {
    expect(formOf(detail()).step).toBe('donation')
    expect(formOf(detail({ choices: [] })).step).toBe('programme')
    expect(formOf(detail({ donationAmount: 0 })).step).toBe('check')
  })
  it('keeps the order of the choices and its track', () => {
    expect(formOf(detail()).choices).toEqual(['if', 'si'])
    expect(formOf(detail()).version).toBe(3)
    expect(formOf(detail()).startedFor).toBe(placeOf({ waveId: 'w', trackId: 't' }))
  })
})

describe('a choice made before signing up', () => {
  const waves = [
    {
      id: 'w',
      tracks: [
        { id: 't', state: 'open' },
        { id: 'x', state: 'closed' },
      ],
    },
  ] as unknown as IntakeWave[]
  const intent = { waveId: 'w', trackId: 't', classProgrammeId: 'pagi', programmeIds: ['if'] }
  it('is filled in', () =>
    expect(withIntent(form(), intent, waves)).toMatchObject({ waveId: 'w', trackId: 't', choices: ['if'] }))
  it('is filled in only where wave and track are still open', () =>
    expect(withIntent(form(), { ...intent, trackId: 'x' }, waves)).toMatchObject({
      waveId: null,
      trackId: null,
      choices: ['if'],
    }))
  it('never overwrites an answer in the form', () =>
    expect(withIntent(form({ waveId: 'w', trackId: 'x' }), intent, waves).trackId).toBe('x'))
})

it('a track with several levels shows its widest window and its earliest deadlines', () => {
  const window = (opensAt: string, closesAt: string, resultsAt: string | null) => ({
    opensAt,
    closesAt,
    paymentDueAt: null,
    resultsAt,
    confirmationDueAt: null,
  })
  expect(datesOf({ windows: [window('2', '5', null), window('1', '4', '7')] as never })).toMatchObject({
    opensAt: '1',
    closesAt: '5',
    resultsAt: '7',
    paymentDueAt: null,
  })
})
