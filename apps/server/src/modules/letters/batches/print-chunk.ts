import { drawLetters } from '#server/modules/letters/draw-letters.ts'
import { type LetterWithText, letterDocument, lettersWithText } from '#server/modules/letters/letter-document.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { conflict } from '#server/platform/errors.ts'
import { claimFile, storeBytes } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * Prints the valid letters of a registered chunk into one stored file. If another worker printed the chunk first, its
 * file counts, and the clean-up job deletes this one.
 */
export async function printChunk(services: Services, actor: Actor, batchId: string, number: number): Promise<void> {
  const letters = await lettersOf(services.db, batchId, number)
  const [first] = letters
  const file = first ? await storeLetters(services, actor, { kind: first.kind, number }, letters) : null
  await services.db.transaction().execute(async (tx) => {
    const now = services.clock.now()
    const { numUpdatedRows } = await tx
      .updateTable('letterBatchChunks')
      .set({ printedAt: now, fileId: file?.id ?? null })
      .where('batchId', '=', batchId)
      .where('number', '=', number)
      .where('printedAt', 'is', null)
      .executeTakeFirstOrThrow()
    if (file && numUpdatedRows > 0n) await claimFile(tx, file)
    await tx.updateTable('letterBatches').set({ workedAt: now }).where('id', '=', batchId).execute()
  })
}

const lettersOf = (db: Db, batchId: string, number: number) =>
  lettersWithText(db)
    .innerJoin('letterBatchMembers as m', 'm.letterId', 'l.id')
    .where('m.batchId', '=', batchId)
    .where('m.chunk', '=', number)
    .where('l.state', '=', 'valid')
    .orderBy('m.position')
    .execute()

type Chunk = { kind: string; number: number }

const drawChunk = async (services: Services, { kind, number }: Chunk, letters: readonly LetterWithText[]) =>
  drawLetters(await letterDocument(services, `${kind} ${number}`, letters))

/** Redraws a printed chunk with the letters still valid; 409 if none is. */
export async function redrawChunk(services: Services, batchId: string, number: number): Promise<Buffer> {
  const letters = await lettersOf(services.db, batchId, number)
  const [first] = letters
  if (!first) throw conflict('letter_not_valid')
  return drawChunk(services, { kind: first.kind, number }, letters)
}

async function storeLetters(services: Services, actor: Actor, chunk: Chunk, letters: readonly LetterWithText[]) {
  const bytes = await drawChunk(services, chunk, letters)
  return storeBytes(services, actor, `${chunk.kind}-${chunk.number}.pdf`, 'letter-batch', {
    bytes,
    mime: 'application/pdf',
    extension: 'pdf',
  })
}
