import { sql } from 'kysely'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict, notFound } from '#server/platform/errors.ts'
import { claimFile, getFile, storeBytes } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'
import { drawLetters } from './draw-letters.ts'
import { type LetterWithText, letterDocument, lettersWithText, textOf } from './letter-document.ts'
import { signerOf } from './signing/signer.ts'

/** A letter; 404 if the actor does not see it. */
export async function getLetter(db: Db, actor: Actor, id: string): Promise<LetterWithText> {
  const letter = await lettersWithText(db).where('l.id', '=', id).where(visibleTo(actor)).executeTakeFirst()
  if (!letter) throw notFound('letter')
  return letter
}

/**
 * File of a letter. The first printing draws, signs and stores it; later ones return the same bytes. 409 if it was
 * replaced or withdrawn before being printed.
 */
export async function letterFile(services: Services, actor: Actor, id: string) {
  const letter = await getLetter(services.db, actor, id)
  const name = `${letter.kind}-${letter.number}`
  if (letter.fileId) return { name, bytes: await storedBytes(services, letter.fileId) }
  if (letter.state !== 'valid') throw conflict('letter_not_valid')
  const signer = await signerOf(services)
  const { title } = textOf(letter, letter.language)
  const bytes = await signer.sign(await drawLetters(await letterDocument(services, title, [letter]), signer.reserve))
  const file = await storeBytes(services, actor, `${name.replace(/[^\w.-]/g, '-')}.pdf`, 'letter', {
    bytes,
    mime: 'application/pdf',
    extension: 'pdf',
  })
  const isFirst = await services.db.transaction().execute(async (tx) => {
    const { rows } = await sql`UPDATE letters SET file_id = ${file.id}, letter_certificate_id = ${signer.certificateId}
      WHERE id = ${id} AND file_id IS NULL RETURNING id`.execute(tx)
    if (rows.length > 0) await claimFile(tx, file)
    return rows.length > 0
  })
  // If another request printed it first, its file counts, and the clean-up job deletes this one.
  return {
    name,
    bytes: isFirst ? bytes : await storedBytes(services, (await getLetter(services.db, actor, id)).fileId!),
  }
}

const storedBytes = async ({ db, files }: Services, fileId: string) =>
  files.bytes((await getFile(db, fileId)).storageKey)

/** `letterFile` for staff; adds the download to the audit log. */
export async function downloadLetter(services: Services, actor: Actor, id: string) {
  const file = await letterFile(services, actor, id)
  await recordAudit(services.db, actor, { action: 'letter.download', on: { letter: id } })
  return file
}
