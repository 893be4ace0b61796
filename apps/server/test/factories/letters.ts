import crypto from 'node:crypto'
import { sampleLetter } from '#domain/letters/letter-texts.ts'
import type { TestApp } from '#server-test/test-app.ts'

/** Id of a kind of letter, by code. */
export const letterKindOf = async (t: TestApp, code: string) =>
  (await t.db.selectFrom('letterKinds').select('id').where('code', '=', code).executeTakeFirstOrThrow()).id

/** A registration's letter as stored in the register; returns its id. */
export async function aLetter(t: TestApp, registrationId: string) {
  const { id: templateId, letterKindId } = await t.db
    .selectFrom('letterTemplates')
    .select(['id', 'letterKindId'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const id = crypto.randomUUID()
  await t.db
    .insertInto('letters')
    .values({
      id,
      letterKindId,
      letterTemplateId: templateId,
      registrationId,
      language: 'id',
      number: id,
      numberScope: id,
      sequence: 1,
      facts: JSON.stringify({ ...sampleLetter('id'), name: 'Sari', code: '26' }),
      issuedAt: t.clock.now(),
    })
    .execute()
  return id
}

/** A batch with one person whose letter is registered but not printed; returns its id. */
export async function aLetterBatch(t: TestApp, registrationId: string, letterId: string) {
  const { letterKindId, letterTemplateId } = await t.db
    .selectFrom('letters')
    .select(['letterKindId', 'letterTemplateId'])
    .where('id', '=', letterId)
    .executeTakeFirstOrThrow()
  const at = t.clock.now()
  const { id } = await t.db
    .insertInto('letterBatches')
    .values({
      ...{ letterKindId, letterTemplateId, language: 'id', total: 1 },
      ...{ status: 'cancelled', startedAt: at, workedAt: at, finishedAt: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await t.db.insertInto('letterBatchChunks').values({ batchId: id, number: 1, people: 1, registeredAt: at }).execute()
  await t.db
    .insertInto('letterBatchMembers')
    .values({ batchId: id, registrationId, letterId, position: 1, chunk: 1 })
    .execute()
  return id
}
