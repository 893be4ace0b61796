import crypto from 'node:crypto'
import { sampleLetter } from '#domain/letters/letter-texts.ts'
import type { TestApp } from '#server-test/test-app.ts'

/** A letter of a registration, as the register keeps it; returns its id. */
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
