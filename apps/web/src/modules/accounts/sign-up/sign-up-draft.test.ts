import { beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetSignUp, keepSignUp, keptSignUp } from './sign-up-draft.ts'

const storage = new Map<string, string>()
beforeEach(() => {
  storage.clear()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  })
})

describe('the answers of an unfinished sign-up', () => {
  const typed = { name: 'Siti', email: 'siti@contoh.test', phone: '0812-9999-0001', password: 'Rahasia-1!' }

  it('are restored after a reload, without the password', () => {
    keepSignUp(typed)
    expect(keptSignUp()).toEqual({ name: 'Siti', email: 'siti@contoh.test', phone: '0812-9999-0001' })
    expect([...storage.values()].join()).not.toContain('Rahasia')
  })

  it('are deleted once the account exists', () => {
    keepSignUp(typed)
    forgetSignUp()
    expect(keptSignUp()).toEqual({ name: '', email: '', phone: '' })
  })

  it('are empty if the storage holds something else or is forbidden', () => {
    storage.set('sign-up', 'null')
    expect(keptSignUp()).toEqual({ name: '', email: '', phone: '' })
    storage.set('sign-up', '{')
    expect(keptSignUp()).toEqual({ name: '', email: '', phone: '' })
    vi.stubGlobal('sessionStorage', undefined)
    expect(keptSignUp()).toEqual({ name: '', email: '', phone: '' })
    keepSignUp(typed)
  })
})
