import { drawLetters } from '#server/modules/letters/draw-letters.ts'
import { type LetterWithText, letterDocument, lettersWithText } from '#server/modules/letters/letter-document.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { claimFile, storeBytes } from '#server/platform/files/files.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * Prints the letters of a registered chunk into one file and stores it. If another worker printed the chunk meanwhile,
 * that file counts, and the clean-up removes this one.
 */
export async function printChunk(services: Services, actor: Actor, batchId: string, number: number): Promise<void> {
  const letters = await lettersWithText(services.db)
    .innerJoin('letterBatchMembers as m', 'm.letterId', 'l.id')
    .where('m.batchId', '=', batchId)
    .where('m.chunk', '=', number)
    .orderBy('m.position')
    .execute()
  const file = letters.length === 0 ? null : await printLetters(services, actor, number, letters)
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

async function printLetters(services: Services, actor: Actor, number: number, letters: readonly LetterWithText[]) {
  const { kind } = letters[0]!
  const bytes = await drawLetters(await letterDocument(services, `${kind} ${number}`, letters))
  return storeBytes(services, actor, `${kind}-${number}.pdf`, 'letter-batch', {
    bytes,
    mime: 'application/pdf',
    extension: 'pdf',
  })
}
