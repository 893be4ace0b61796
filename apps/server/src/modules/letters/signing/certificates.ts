import crypto from 'node:crypto'
import type { NotNull } from 'kysely'
import { type LetterCertificate, maxCertificateBytes, renewalNoticeDays } from '#domain/letters/signing-endpoints.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { openText, sealText } from '#server/platform/access/secret-box.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { readCertificate } from './read-certificate.ts'

const purpose = (id: string, name: 'file' | 'passphrase') => `letter certificate ${name} ${id}`

const current = (db: Db) => db.selectFrom('letterCertificates as c').where('c.removedAt', 'is', null)

/** The certificate that signs letters, without its key. */
export async function showSigning({ db, clock }: Services): Promise<{ certificate: LetterCertificate | null }> {
  const found = await current(db)
    .leftJoin('accounts as u', 'u.id', 'c.addedBy')
    .select(['c.holder', 'c.issuer', 'c.serialNumber', 'c.fingerprint', 'c.validFrom', 'c.validUntil', 'c.addedAt'])
    .select('u.name as addedBy')
    .executeTakeFirst()
  if (!found) return { certificate: null }
  const { validFrom, validUntil, addedAt, ...facts } = found
  const remainingMs = validUntil.getTime() - clock.now().getTime()
  return {
    certificate: {
      ...facts,
      validFrom: validFrom.toISOString(),
      validUntil: validUntil.toISOString(),
      addedAt: addedAt.toISOString(),
      state: remainingMs <= 0 ? 'expired' : remainingMs <= renewalNoticeDays * 86_400_000 ? 'ending' : 'valid',
    },
  }
}

/**
 * Stores a certificate in place of the current one. 422 beside the field if file or passphrase is wrong or the
 * certificate is not valid now.
 */
export async function storeCertificate(services: Services, actor: Actor, body: { file: string; passphrase: string }) {
  const file = Buffer.from(body.file, 'base64')
  if (file.length > maxCertificateBytes) throw invalid({ file: 'certificate_unreadable' })
  const now = services.clock.now()
  const facts = await readCertificate(file, body.passphrase)
  if (facts.validUntil <= now) throw invalid({ file: 'certificate_expired' })
  if (facts.validFrom > now) throw invalid({ file: 'certificate_not_yet_valid' })
  const id = crypto.randomUUID()
  const seal = (name: 'file' | 'passphrase', text: string) =>
    sealText(services.config.secretKey, purpose(id, name), text)
  await services.db.transaction().execute(async (tx) => {
    await forget(tx, now)
    await tx
      .insertInto('letterCertificates')
      .values({
        id,
        sealedFile: seal('file', body.file),
        sealedPassphrase: seal('passphrase', body.passphrase),
        ...facts,
        addedAt: now,
        addedBy: actor.accountId || null,
      })
      .execute()
    await recordAudit(tx, actor, { action: 'letter-certificate.add', on: { 'letter-certificate': id }, after: facts })
  })
}

/** Removes the current certificate and deletes its key; 404 if there is none. */
export const removeCertificate = (services: Services, actor: Actor) =>
  services.db.transaction().execute(async (tx) => {
    const id = await forget(tx, services.clock.now())
    if (!id) throw notFound('letter_certificate')
    await recordAudit(tx, actor, { action: 'letter-certificate.remove', on: { 'letter-certificate': id } })
  })

async function forget(tx: Tx, now: Date) {
  const removed = await tx
    .updateTable('letterCertificates')
    .set({ removedAt: now, sealedFile: null, sealedPassphrase: null })
    .where('removedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return removed?.id
}

/** The current certificate with its signing key; null if letters are not signed. */
export async function openCertificate({ db, config }: Services) {
  const found = await current(db)
    .select(['c.id', 'c.holder', 'c.validUntil', 'c.sealedFile', 'c.sealedPassphrase'])
    .$narrowType<{ sealedFile: NotNull; sealedPassphrase: NotNull }>()
    .executeTakeFirst()
  if (!found) return null
  const { id, holder, validUntil } = found
  const file = openText(config.secretKey, purpose(id, 'file'), found.sealedFile)
  const passphrase = openText(config.secretKey, purpose(id, 'passphrase'), found.sealedPassphrase)
  return {
    id,
    holder,
    validUntil,
    secrets: file === undefined || passphrase === undefined ? null : { file, passphrase },
  }
}
