import { describe, expect, it } from 'vitest'
import { photoName, photoSizeOf, unknownTokens } from './photo-format.ts'

describe('the size of a photo', () => {
  it.each([
    ['2x3cm', { width: 236, height: 354 }],
    ['3x4cm', { width: 354, height: 472 }],
    ['4x6cm', { width: 472, height: 709 }],
    ['600x800px', { width: 600, height: 800 }],
    ['0x4cm', undefined],
    ['9999x9999px', undefined],
    ['3x4', undefined],
    ['x', undefined],
  ])('%s', (text, size) => {
    expect(photoSizeOf(text)).toEqual(size)
  })
})

describe('the name of a photo', () => {
  const values = { npm: '26550001', nama: 'Siti Nur/Aini', kode: 'PMB-26-001', prodi: 'Informatika', gelombang: 'G1' }
  it('is filled from the template, with characters file systems accept', () => {
    expect(photoName('{npm}_{nama}', values)).toBe('26550001_Siti_Nur-Aini')
    expect(photoName('{prodi}/{gelombang} {kode}', values)).toBe('Informatika-G1_PMB-26-001')
    expect(photoName('..{nama}', { ...values, nama: '../../etc' })).not.toMatch(/^\.|\//)
  })
  it('is never a Windows device name', () => {
    expect(photoName('{nama}', { ...values, nama: 'Aux' })).toBe('_Aux')
  })
  it('uses the registration code if there is no number, or nothing else', () => {
    expect(photoName('{npm}', { ...values, npm: null })).toBe('PMB-26-001')
    expect(photoName('{prodi}', { ...values, prodi: null })).toBe('PMB-26-001')
  })
  it('knows its placeholders', () => {
    expect(unknownTokens('{npm}_{nama}_{nik}')).toEqual(['nik'])
    expect(unknownTokens('{npm}')).toEqual([])
    expect(unknownTokens('{npm')).toEqual(['{'])
    expect(unknownTokens('{{npm}}_nama}')).toEqual(['{', '}', '}'])
  })
})
