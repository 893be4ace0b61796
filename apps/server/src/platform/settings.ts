import { z } from 'zod'
import type { Db } from './database.ts'

/** Every general setting with its default; stored as one row per key once somebody changes it. */
export const settingsSchema = z.object({
  universityName: z.string().default('Universitas Nusantara Demo'),
  universityShortName: z.string().default('UND'),
  address: z.string().default('Jalan Contoh No. 1, Jakarta 10110'),
  phone: z.string().default('(021) 555-0100'),
  email: z.string().default('pmb@demo.test'),
  website: z.string().default('https://pmb.demo.test'),
  logoFileId: z.uuid().nullable().default(null),
  primaryColour: z.string().default('#009EF7'),
  timeZone: z.string().default('Asia/Jakarta'),
  simLabel: z.object({ en: z.string(), id: z.string() }).default({ en: 'Driving licence (SIM)', id: 'SIM' }),
  registrationNumber: z.string().default('{YY}{wave}{SEQ:5}'),
  billNumber: z.string().default('INV-{YYYY}-{SEQ:6}'),
  receiptNumber: z.string().default('KW-{YYYY}-{SEQ:6}'),
  studentNumber: z.string().default('{YY}{prodi}{SEQ:4}'),
  /** Whether the number comes by itself once the unlock is reached. */
  studentNumberIssue: z.enum(['automatic', 'by_staff']).default('automatic'),
  enrolmentUnlock: z.enum(['first-instalment', 'paid-in-full', 'none']).default('first-instalment'),
  signatoryName: z.string().default('Panitia PMB'),
  signatoryTitle: z.string().default('Ketua Panitia Penerimaan Mahasiswa Baru'),
  consentVersion: z.string().default('2026-1'),
})

export type Settings = z.output<typeof settingsSchema>

export async function getSettings(db: Db): Promise<Settings> {
  const rows = await db.selectFrom('settings').select(['key', 'value']).execute()
  return settingsSchema.parse(Object.fromEntries(rows.map(({ key, value }) => [key, value])))
}
