import { describe, expect, it } from 'vitest'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import { ApiError } from '#web/api/client.ts'
import { emptyForm } from '#web/modules/admissions/apply/registration-form.ts'
import { emptyScreen, mergeServerDraft, nextScreen, stepOnScreen } from './screen.ts'

const startedForm = { ...emptyForm, waveId: 'w', trackId: 't', registrationId: 'r', version: 3 }
const emptyAddress = { step: null, registrationId: null }
const noDonation = ['track', 'programme', 'test', 'check'] as const

describe('the step on screen', () => {
  it('comes from the address', () =>
    expect(stepOnScreen(startedForm, noDonation, { ...emptyAddress, step: 'test' })).toBe('test'))
  it('comes from the draft if the address names no step', () =>
    expect(stepOnScreen({ ...startedForm, step: 'check' }, noDonation, emptyAddress)).toBe('check'))
  it("comes from the draft if the track lacks the address's step", () =>
    expect(stepOnScreen({ ...startedForm, step: 'programme' }, noDonation, { ...emptyAddress, step: 'donation' })).toBe(
      'programme',
    ))
  it('is the first if the track lacks both', () =>
    expect(stepOnScreen({ ...startedForm, step: 'donation' }, noDonation, { ...emptyAddress, step: 'x' })).toBe(
      'track',
    ))
  it('is never beyond an unanswered step', () =>
    expect(stepOnScreen(emptyForm, noDonation, { ...emptyAddress, step: 'check' })).toBe('track'))
  it('waits for the answers of a draft named in the address', () =>
    expect(stepOnScreen(emptyForm, noDonation, { step: 'check', registrationId: 'r' })).toBe('check'))
})

describe('the server draft', () => {
  const detail = (values: object = {}) =>
    ({
      id: 'r',
      status: 'draft',
      version: 3,
      wave: { id: 'w' },
      track: { id: 't', asksDonation: false },
      entryLevel: { id: 's1' },
      classProgramme: { id: 'pagi' },
      choices: [{ id: 'if', position: 1 }],
      donation: null,
      donationAmount: null,
      ...values,
    }) as unknown as RegistrationDetail

  it('leaves the form unchanged if both have the same version', () =>
    expect(mergeServerDraft(startedForm, detail(), null)).toBe(startedForm))
  it('leaves the form unchanged if it belongs to another registration', () =>
    expect(mergeServerDraft(emptyForm, detail(), null)).toBe(emptyForm))
  it('fills the form if the address names it, at the first unanswered question', () =>
    expect(mergeServerDraft(emptyForm, detail(), 'r')).toMatchObject({
      registrationId: 'r',
      choices: ['if'],
      step: 'check',
    }))
  it('replaces the answers but neither step nor chosen session if it was changed elsewhere', () =>
    expect(
      mergeServerDraft({ ...startedForm, step: 'test', testSessionId: 's' }, detail({ version: 4 }), null),
    ).toMatchObject({
      version: 4,
      choices: ['if'],
      step: 'test',
      testSessionId: 's',
    }))
  it('empties the form once it is submitted', () =>
    expect(mergeServerDraft(startedForm, detail({ status: 'submitted' }), null)).toBeNull())
})

describe('the screen', () => {
  const failure = new ApiError(409, 'registration_exists', 'Sudah ada')
  const blockedScreen = nextScreen(emptyScreen, { kind: 'blocked', problem: { key: 'form.chooseTrack' } })

  it('shows the problem until a track is chosen', () => {
    expect(blockedScreen.problem).toEqual({ key: 'form.chooseTrack' })
    expect(nextScreen(blockedScreen, { kind: 'trackChosen' }).problem).toBeNull()
  })
  it('asks for consent until it is given', () =>
    expect(nextScreen(blockedScreen, { kind: 'agreed', agreed: true })).toMatchObject({ agreed: true, problem: null }))
  it('clears the last refusal while it sends again', () =>
    expect(nextScreen({ ...blockedScreen, failure }, { kind: 'sending' })).toMatchObject({
      problem: null,
      failure: null,
      sending: true,
    }))
  it('lets the applicant send again after a refusal', () =>
    expect(nextScreen({ ...emptyScreen, sending: true }, { kind: 'failed', failure })).toMatchObject({
      failure,
      sending: false,
    }))
  it('drops problem and refusal on a change of step, but keeps the consent', () =>
    expect(nextScreen({ ...blockedScreen, failure, agreed: true }, { kind: 'stepChanged' })).toEqual({
      ...emptyScreen,
      agreed: true,
    }))
  it('stops sending after a success', () =>
    expect(nextScreen({ ...emptyScreen, sending: true }, { kind: 'sent' })).toEqual(emptyScreen))
})
