import type { transfer as en } from '../en/transfer.ts'

export const transfer = {
  pdf: { page: 'Halaman {{page}}', rows: '{{rows}} baris' },
} satisfies typeof en
