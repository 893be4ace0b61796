import { describe, expect, it } from 'vitest'
import type { IntakeChoices, IntakeWave } from '#domain/admissions/intake-schemas.ts'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import {
  datesOf,
  donationRuleOf,
  emptyForm,
  fitted,
  formOf,
  placeOf,
  problemOf,
  reachable,
  stepOfField,
  stepsFor,
  withIntent,
} from './registration-form.ts'

const programme = (id: string, donation: object | null = null) => ({ id, donation })
const rule = { required: true, minimumAmount: 500_000, suggestedAmounts: [] }
const level = (id: string, classes: object[], state = 'open') => ({ id, state, classProgrammes: classes })
const options = (levels: object[], maxChoices = 2) =>
  ({ track: { maxChoices }, entryLevels: levels }) as unknown as IntakeChoices
const one = options([level('s1', [{ id: 'pagi', programmes: [programme('if', rule), programme('si')] }])])
const free = options([level('s1', [{ id: 'pagi', programmes: [programme('if', { ...rule, minimumAmount: 0 })] }])])
const form = (values: object = {}) => ({ ...emptyForm, ...values })

describe('the steps', () => {
  it('are those the track asks for', () => {
    expect(stepsFor({ asksDonation: true, hasTest: true })).toHaveLength(5)
    expect(stepsFor({ asksDonation: false, hasTest: true })).toEqual(['track', 'programme', 'test', 'check'])
    expect(stepsFor({ asksDonation: false, hasTest: false })).toEqual(['track', 'programme', 'check'])
  })
})

it('a screen is reached only past those it builds on', () => {
  expect(reachable('check', form())).toBe('track')
  expect(reachable('check', form({ waveId: 'w', trackId: 't' }))).toBe('programme')
  expect(reachable('check', form({ waveId: 'w', trackId: 't', registrationId: 'r' }))).toBe('check')
})

describe('what is offered', () => {
  it('fills in the only level and the only class', () =>
    expect(fitted(form(), one)).toMatchObject({ entryLevelId: 's1', classProgrammeId: 'pagi' }))

  it('leaves a real choice to the applicant', () => {
    const two = options([
      level('s1', [
        { id: 'pagi', programmes: [] },
        { id: 'malam', programmes: [] },
      ]),
      level('s2', []),
    ])
    expect(fitted(form(), two)).toMatchObject({ entryLevelId: null, classProgrammeId: null })
    expect(fitted(form({ entryLevelId: 's1' }), two)).toMatchObject({ entryLevelId: 's1', classProgrammeId: null })
  })

  it('a closed level is none', () =>
    expect(fitted(form(), options([level('s1', [], 'closed')]))).toMatchObject({ entryLevelId: null }))

  it('drops choices the class does not have, and those beyond what the track allows', () =>
    expect(fitted(form({ choices: ['gone', 'si', 'if'] }), one).choices).toEqual(['', 'si']))
})

describe('going on', () => {
  it.each([
    ['without a track', 'track', form(), 'form.chooseTrack'],
    ['with one', 'track', form({ waveId: 'w', trackId: 't' }), null],
    ['without a class', 'programme', form({ choices: ['if'] }), 'form.chooseClass'],
    ['without a programme', 'programme', fitted(form({ choices: ['', ''] }), one), 'form.chooseFirst'],
    ['with only a second choice', 'programme', fitted(form({ choices: ['', 'si'] }), one), null],
    ['without a required donation', 'donation', fitted(form({ choices: ['if'] }), one), 'form.chooseAmount'],
    ['with too little', 'donation', fitted(form({ choices: ['if'], donationAmount: 1 }), one), 'form.chooseAmount'],
    ['with enough', 'donation', fitted(form({ choices: ['if'], donationAmount: 500_000 }), one), null],
    ['where no donation is ruled', 'donation', fitted(form({ choices: ['si'] }), one), null],
  ] as const)('%s', (_situation, step, given, key) => expect(problemOf(step, given, one)?.key ?? null).toBe(key))

  it('where the minimum is none, none is an answer, but no answer is not', () => {
    expect(problemOf('donation', fitted(form({ choices: ['if'], donationAmount: 0 }), free), free)).toBeNull()
    expect(problemOf('donation', fitted(form({ choices: ['if'] }), free), free)?.key).toBe('form.chooseAnyAmount')
  })

  it('the first choice rules the donation', () => {
    expect(donationRuleOf(one, fitted(form({ choices: ['', 'if'] }), one))).toEqual(rule)
    expect(donationRuleOf(one, fitted(form({ choices: ['si', 'if'] }), one))).toBeNull()
  })
})

it('every refused field leads to the screen that asks it', () => {
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

  it('opens at the first open question', () => {
    expect(formOf(detail()).step).toBe('donation')
    expect(formOf(detail({ choices: [] })).step).toBe('programme')
    expect(formOf(detail({ donationAmount: 0 })).step).toBe('check')
  })
  it('keeps the order of the choices and the track it was started for', () => {
    expect(formOf(detail()).choices).toEqual(['if', 'si'])
    expect(formOf(detail()).version).toBe(3)
    expect(formOf(detail()).startedFor).toBe(placeOf({ waveId: 'w', trackId: 't' }))
  })
})

describe('what was picked before signing up', () => {
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
  it('only as far as it is open', () =>
    expect(withIntent(form(), { ...intent, trackId: 'x' }, waves)).toMatchObject({
      waveId: null,
      trackId: null,
      choices: ['if'],
    }))
  it('never over what was filled in here', () =>
    expect(withIntent(form({ waveId: 'w', trackId: 'x' }), intent, waves).trackId).toBe('x'))
})

it('a track with several levels shows its widest window and its first deadlines', () => {
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
