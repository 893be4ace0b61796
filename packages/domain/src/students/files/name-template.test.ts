import { describe, expect, it } from 'vitest'
import { defaultNameTemplate, fillNameTemplate, isNameTemplate } from './name-template.ts'

const values = { npm: '2701', kode: '27G1D1', nama: 'Sari Dewi', prodi: 'Hukum', berkas: 'Ijazah / SKL' }

describe('names in a ZIP', () => {
  it('are filled from the template, and only its slashes make folders', () => {
    expect(fillNameTemplate(defaultNameTemplate, values)).toBe('2701_Sari Dewi/Ijazah SKL')
    expect(fillNameTemplate('{prodi}/{berkas}_{npm}', values)).toBe('Hukum/Ijazah SKL_2701')
  })
  it('never leave the folder they are unpacked into', () => {
    expect(fillNameTemplate('../{nama}/{berkas}', { ...values, nama: '..', berkas: '../../etc/passwd' })).toBe(
      'etc passwd',
    )
  })
  it("stay in the person's folder even if the document's name is dots, and are not Windows device names", () => {
    expect(fillNameTemplate(defaultNameTemplate, { ...values, berkas: '...' })).toBe('2701_Sari Dewi/berkas')
    expect(fillNameTemplate('{prodi}/{berkas}', { ...values, prodi: 'aux', berkas: 'CON' })).toBe('_aux/_CON')
  })
  it('must include the document and only known tokens', () => {
    expect(isNameTemplate('{npm}/{berkas}')).toBe(true)
    expect(isNameTemplate('{npm}')).toBe(false)
    expect(isNameTemplate('{berkas}{nik}')).toBe(false)
    expect(isNameTemplate('{berkas}{')).toBe(false)
  })
})
