import { describe, expect, it } from 'vitest'
import { registrationStatuses } from '#domain/admissions/registration-status.ts'
import { todoKeys, todoStates } from '#domain/admissions/todo.ts'
import { registration as en } from '#locales/en/registration.ts'
import { afterKeys, byUrgency, dueKeyOf, nextAfterPayment, pathOfStep, sentenceKeys, toneOf } from './next-step.ts'

const step = (values: object = {}) => ({
  key: 'payment' as const,
  state: 'todo' as const,
  blockedBy: null,
  actor: 'you' as const,
  dueAt: '2026-11-27T16:59:00.000Z',
  path: null,
  params: { amount: 250_000 },
  ...values,
})
const facts = (values: object = {}) => ({
  status: 'submitted' as const,
  result: 'waiting' as const,
  nextStep: step(),
  ...values,
})
const sentence = (values?: object) => {
  const words = en.next as Record<string, string>
  const key = sentenceKeys(facts(values), new Date()).find((candidate) => candidate.slice('next.'.length) in words)
  return key && words[key.slice('next.'.length)]
}

describe('after a payment', () => {
  const todoOf = (...keys: [key: string, state: string][]) => keys.map(([key, state]) => step({ key, state })) as never
  it.each([
    ['the documents', todoOf(['payment', 'done'], ['files', 'todo'], ['result', 'blocked']), 'files'],
    ['the rest of the fee', todoOf(['payment', 'todo'], ['files', 'todo']), 'payment'],
    [
      'the student number, not a later instalment',
      todoOf(['reRegistration', 'todo'], ['studentNumber', 'waiting']),
      'studentNumber',
    ],
    [
      'the rest of the first instalment',
      todoOf(['reRegistration', 'todo'], ['studentNumber', 'blocked']),
      'reRegistration',
    ],
  ])('comes %s', (_, todo, key) => expect(nextAfterPayment(todo)?.key).toBe(key))
})

describe('the first sentence', () => {
  it.each([
    ['sum and date', {}, 'Pay {{amount}} before {{due}}'],
    ['no date', { nextStep: step({ dueAt: null }) }, 'Pay {{amount}}'],
    ['no sum', { nextStep: step({ params: {} }) }, 'Pay the registration fee before {{due}}'],
    [
      'a payment taken back',
      {
        status: 'verified',
        nextStep: step({ params: { amount: 250_000, takenBack: 250_000, reason: 'Cek ditolak' } }),
      },
      'Pay {{amount}} again before {{due}}',
    ],
    [
      'waiting for the bank',
      { nextStep: step({ state: 'waiting' }) },
      'We are waiting for the bank to report your payment',
    ],
    [
      'a refused document',
      { nextStep: step({ key: 'files', params: { missing: 0, rejected: 1 }, dueAt: null }) },
      'Send again the documents that were not accepted',
    ],
    ['withdrawn', { status: 'withdrawn' }, 'This registration was withdrawn'],
    ['not accepted', { status: 'decided', result: 'not_accepted' }, 'The result of your registration is here'],
    ['enrolled', { status: 'enrolled', result: 'accepted', nextStep: null }, 'Welcome. You are a student now'],
    ['nothing to do', { nextStep: null }, 'There is nothing to do right now'],
  ])('%s', (_situation, values, words) => expect(sentence(values)).toBe(words))

  it('exists for every step in every state, with and without a date', () => {
    for (const key of todoKeys)
      for (const state of todoStates)
        for (const dueAt of [null, '2026-11-27T16:59:00.000Z'])
          expect(sentence({ nextStep: step({ key, state, dueAt, params: {} }) }), `${key} ${state}`).toBeTruthy()
  })

  it('does not promise an announcement day that has passed', () => {
    const result = facts({ nextStep: step({ key: 'result', state: 'waiting', params: {} }) })
    expect(sentenceKeys(result, new Date('2026-11-20T00:00:00Z'))[0]).toBe('next.resultWaitingDue')
    expect(sentenceKeys(result, new Date('2026-11-30T00:00:00Z'))[0]).toBe('next.resultWaiting')
  })

  it('says nothing about a next step if there is none', () =>
    expect(afterKeys(facts({ status: 'expired' }))).toEqual([]))
})

it('every status has a tone', () => {
  for (const status of registrationStatuses) {
    expect(toneOf(status, 'waiting')).toBeTruthy()
  }
  expect(toneOf('decided', 'not_accepted')).toBe('stopped')
})

it("every step has a path, and the server's path takes precedence", () => {
  for (const key of todoKeys) expect(pathOfStep({ key, path: null }, 'r1')).toMatch(/^\//)
  expect(pathOfStep({ key: 'files', path: '/somewhere' }, 'r1')).toBe('/somewhere')
})

it('registrations that need the applicant come first, ended ones last', () => {
  const waiting = facts({ nextStep: step({ state: 'waiting' }), code: 'waiting' })
  const ended = facts({ status: 'withdrawn', code: 'ended' })
  const todo = facts({ code: 'todo' })
  expect(byUrgency([ended, waiting, todo] as never[])).toEqual([todo, waiting, ended])
})

it('a date is a deadline, overdue, or the day of the results', () => {
  const late = new Date('2026-11-28T00:00:00Z')
  const early = new Date('2026-11-20T00:00:00Z')
  expect(dueKeyOf(step(), early)).toBe('before')
  expect(dueKeyOf(step(), late)).toBe('overdue')
  expect(dueKeyOf(step({ state: 'waiting' }), late)).toBe('before')
  expect(dueKeyOf(step({ key: 'result', state: 'waiting' }), early)).toBe('expected')
  expect(dueKeyOf(step({ key: 'result', state: 'waiting' }), late)).toBeNull()
})
