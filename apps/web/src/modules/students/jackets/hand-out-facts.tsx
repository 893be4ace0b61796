import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { JacketHolder } from '#domain/students/jackets/endpoints.ts'
import { longDate } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { Signature } from './signature.tsx'

/** One jacket of a student: when it was handed out, and when and why it was returned. */
export function HandOutFacts({ handOut }: { handOut: JacketHolder['handOuts'][number] }) {
  const { t } = useTranslation('jackets')
  const { language } = useSurroundings()
  const { size, handedAt, handedBy, signature, note, endedAt, endedAs, endedReason, usable } = handOut
  const when = longDate(handedAt, language)
  return (
    <Stack gap={4}>
      <Text fw={600}>
        {t('column.size')} {size}
      </Text>
      <Text size="sm">{t('detail.given', { when, who: handedBy ?? t('system') })}</Text>
      {note && <Text size="sm">{note}</Text>}
      {signature && <Signature path={signature} label={t('signature.of', { when })} />}
      {endedAt && endedAs && (
        <Text size="sm">
          {t(`detail.ended.${endedAs}`, { when: longDate(endedAt, language), reason: endedReason })}
          {usable === false && ` (${t('detail.unusable')})`}
        </Text>
      )}
    </Stack>
  )
}
