import { describe, expect, it } from 'vitest'
import { withReturned } from './given-back.ts'

describe('a refused text', () => {
  it('comes back ahead of what was typed since', () => {
    expect(withReturned('dan lagi', '', ['Halo Budi'])).toEqual({
      text: 'Halo Budi\n\ndan lagi',
      returned: 'Halo Budi',
    })
  })

  it('that follows another comes back after it, whether both come together or one by one', () => {
    const once = withReturned('', '', ['Halo Budi,', 'tagihan Anda lunas.'])
    expect(once.text).toBe('Halo Budi,\n\ntagihan Anda lunas.')
    const first = withReturned('', '', ['Halo Budi,'])
    const typed = `${first.text}\n\nketikan baru`
    expect(withReturned(typed, first.returned, ['tagihan Anda lunas.']).text).toBe(
      'Halo Budi,\n\ntagihan Anda lunas.\n\nketikan baru',
    )
  })

  it('is not duplicated where the same text was typed again', () => {
    expect(withReturned('Halo', '', ['Halo']).text).toBe('Halo')
  })

  it('comes first where an earlier one was edited by hand', () => {
    expect(withReturned('Halo Pak Budi', 'Halo Budi', ['Besok saja']).text).toBe('Besok saja\n\nHalo Pak Budi')
  })
})
