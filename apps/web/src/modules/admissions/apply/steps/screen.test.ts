import { describe, expect, it } from 'vitest'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import { ApiError } from '#web/api/client.ts'
import { emptyForm } from '#web/modules/admissions/apply/registration-form.ts'
import { emptyScreen, nextScreen, stepOnScreen, takenUp } from './screen.ts'

const started = { ...emptyForm, waveId: 'w', trackId: 't', registrationId: 'r', version: 3 }
const nowhere = { step: null, registrationId: null }
const noDonation = ['track', 'programme', 'test', 'check'] as const

describe('the step on screen', () => {
  it('is the one of the address', () =>
    expect(stepOnScreen(started, noDonation, { ...nowhere, step: 'test' })).toBe('test'))
  it('is the one of the draft where the address names none', () =>
    expect(stepOnScreen({ ...started, step: 'check' }, noDonation, nowhere)).toBe('check'))
  it('is the one of the draft where the track does not ask the step of the address', () =>
    expect(stepOnScreen({ ...started, step: 'programme' }, noDonation, { ...nowhere, step: 'donation' })).toBe(
      'programme',
    ))
  it('is the first where the track asks neither', () =>
    expect(stepOnScreen({ ...started, step: 'donation' }, noDonation, { ...nowhere, step: 'x' })).toBe('track'))
  it('never lies past an unanswered one', () =>
    expect(stepOnScreen(emptyForm, noDonation, { ...nowhere, step: 'check' })).toBe('track'))
  it('waits for the answers of a draft that the address names', () =>
    expect(stepOnScreen(emptyForm, noDonation, { step: 'check', registrationId: 'r' })).toBe('check'))
})

describe('the draft of the server', () => {
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

  it('changes nothing while it says the same', () => expect(takenUp(started, detail(), null)).toBe(started))
  it('changes nothing here while it belongs to another registration', () =>
    expect(takenUp(emptyForm, detail(), null)).toBe(emptyForm))
  it('is taken up where the address names it, at the first open question', () =>
    expect(takenUp(emptyForm, detail(), 'r')).toMatchObject({ registrationId: 'r', choices: ['if'], step: 'check' }))
  it('counts more when it was changed elsewhere, and the step stays', () =>
    expect(takenUp({ ...started, step: 'test' }, detail({ version: 4 }), null)).toMatchObject({
      version: 4,
      choices: ['if'],
      step: 'test',
    }))
  it('is let go once it was submitted', () =>
    expect(takenUp(started, detail({ status: 'submitted' }), null)).toBeNull())
})

describe('the screen', () => {
  const failure = new ApiError(409, 'registration_exists', 'Sudah ada')
  const blocked = nextScreen(emptyScreen, { kind: 'blocked', problem: { key: 'form.chooseTrack' } })

  it('says what is missing until a track is chosen', () => {
    expect(blocked.problem).toEqual({ key: 'form.chooseTrack' })
    expect(nextScreen(blocked, { kind: 'trackChosen' }).problem).toBeNull()
  })
  it('asks for the agreement until it is given', () =>
    expect(nextScreen(blocked, { kind: 'agreed', agreed: true })).toMatchObject({ agreed: true, problem: null }))
  it('forgets the last refusal while it sends again', () =>
    expect(nextScreen({ ...blocked, failure }, { kind: 'sending' })).toMatchObject({
      problem: null,
      failure: null,
      sending: true,
    }))
  it('lets the applicant send again after a refusal', () =>
    expect(nextScreen({ ...emptyScreen, sending: true }, { kind: 'failed', failure })).toMatchObject({
      failure,
      sending: false,
    }))
  it('takes neither problem nor refusal along to another step, but the session and the agreement', () =>
    expect(nextScreen({ ...blocked, failure, agreed: true, sessionId: 's' }, { kind: 'stepChanged' })).toEqual({
      ...emptyScreen,
      agreed: true,
      sessionId: 's',
    }))
  it('may be used again after an answer', () =>
    expect(nextScreen({ ...emptyScreen, sending: true }, { kind: 'sent' })).toEqual(emptyScreen))
})
