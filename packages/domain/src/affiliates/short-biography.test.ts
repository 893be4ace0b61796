import { describe, expect, it } from 'vitest'
import { shortBiography } from './short-biography.ts'

describe('the beginning of a biography', () => {
  it('is the whole text on one line if short', () => {
    expect(shortBiography(' Alumni\n Informatika. ')).toBe('Alumni Informatika.')
  })

  it('ends after a whole word within 200 characters', () => {
    const text = shortBiography('Guru matematika, wali kelas. '.repeat(20))
    expect(text.length).toBeLessThanOrEqual(201)
    expect(text).toMatch(/(matematika|kelas|Guru|wali)…$/)
  })

  it('cuts a word that is longer than half the limit', () => {
    expect(shortBiography('a'.repeat(2000))).toBe(`${'a'.repeat(199)}…`)
  })
})
